"""The admin interface's address book: what the owner changes in Google Contacts itself."""

from app.sandbox.errors import invalid_argument
from app.sandbox.shapes import JsonObject, text_of, texts_of
from app.sandbox.world import World

TEXTS = ("name", "organization", "notes")
LISTS = ("emails", "phones")


def change_contacts(world: World, body: JsonObject) -> JsonObject:
    """{id?, delete?, name?, emails?, phones?, organization?, notes?, account?} to {resourceName}: a new contact, or with an id a
    change or the deletion of one."""
    book = world.account(text_of(body, "account") or "").contacts
    given: dict[str, object] = {name: text_of(body, name) or "" for name in TEXTS if name in body}
    given |= {name: texts_of(body, name) for name in LISTS if name in body}
    resource_id = (text_of(body, "id") or "").removeprefix("people/")
    if resource_id and body.get("delete"):
        book.delete(resource_id)
        return {"resourceName": f"people/{resource_id}"}
    if resource_id:
        return {"resourceName": book.change(resource_id, given).resource_name}
    if not given:
        raise invalid_argument("contacts: a name or addresses are needed")
    emails, phones = texts_of(body, "emails"), texts_of(body, "phones")
    name, organization, notes = (text_of(body, one) or "" for one in TEXTS)
    return {"resourceName": book.add(name, emails, phones, organization, notes).resource_name}
