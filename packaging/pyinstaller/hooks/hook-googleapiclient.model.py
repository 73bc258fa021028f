"""Only the three services that Replyroom speaks to: Google's client brings 610 of these documents, 110 MB."""

from PyInstaller.utils.hooks import collect_data_files, copy_metadata

WANTED = ("gmail.v1", "calendar.v3", "people.v1")
datas = copy_metadata("google_api_python_client") + collect_data_files(
    "googleapiclient", includes=[f"discovery_cache/documents/{name}.json" for name in WANTED]
)
hiddenimports = ["googleapiclient.discovery_cache", "googleapiclient.discovery_cache.documents"]
