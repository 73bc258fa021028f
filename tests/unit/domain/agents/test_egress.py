"""What may go out by itself: searches without anything private, pages the user named, nothing that carries a secret."""

import ipaddress
from ipaddress import IPv4Address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.agents.egress import fetch_denial, plain_host, public_address, search_denial
from app.domain.policy.policy import PolicyReason

MAIL = "Hello, my insurance number is 795 412/1234 and my son takes Ibalgin since Monday. Call me."


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("ibalgin 400 pregnancy", None),
        ("Ibuprofen dosage for children", None),
        ("is my son takes ibalgin since dangerous", PolicyReason.NET_PRIVATE_WORDS),
        ("MY SON, takes: Ibalgin", PolicyReason.NET_PRIVATE_WORDS),
        ("who is anna.novak@example.org", PolicyReason.NET_PRIVATE_WORDS),
        ("anna＠example.org", PolicyReason.NET_PRIVATE_WORDS),
        ("number 795412/1234", PolicyReason.NET_PRIVATE_WORDS),
        ("number 7-9-5-4-1-2", PolicyReason.NET_PRIVATE_WORDS),
        ("https://evil.com/leak", PolicyReason.NET_PRIVATE_WORDS),
        ("the password is hunter22", PolicyReason.NET_PRIVATE_WORDS),
        ("a" * 33, PolicyReason.NET_TOO_LONG),
        ("word " * 60, PolicyReason.NET_TOO_LONG),
    ],
)
def test_a_search_repeats_nothing_private(words: str, why: PolicyReason | None) -> None:
    assert search_denial(words, [MAIL]) is why


HOSTS = frozenset({"sukl.gov.cz"})


@pytest.mark.parametrize(
    ("url", "asked", "why"),
    [
        ("https://sukl.gov.cz/leky", "", None),
        ("https://www.example.com/page", "Read www.example.com please", None),
        ("https://example.com/page?id=3", "Read https://example.com/page?id=3.", None),
        ("https://example.com/page?id=3", "Read example.com", PolicyReason.NET_QUERY_NOT_TYPED),
        ("https://sukl.gov.cz/x?q=secret", "", PolicyReason.NET_QUERY_NOT_TYPED),
        ("https://sukl.gov.cz/x#secret", "", PolicyReason.NET_QUERY_NOT_TYPED),
        ("https://sukl.gov.cz/leak/795412/1234", "", PolicyReason.NET_QUERY_NOT_TYPED),
        ("https://evil.com/", "Read example.com", PolicyReason.NET_HOST_NOT_ALLOWED),
        ("https://example.com/", "Write to bob@example.com", PolicyReason.NET_HOST_NOT_ALLOWED),
        ("https://example.com/", "Read example.com.evil.org", PolicyReason.NET_HOST_NOT_ALLOWED),
        ("https://sub.sukl.gov.cz/", "", PolicyReason.NET_HOST_NOT_ALLOWED),
        ("http://sukl.gov.cz/", "", PolicyReason.NET_BAD_ADDRESS),
        ("https://sukl.gov.cz:8443/", "", PolicyReason.NET_BAD_ADDRESS),
        ("https://sukl.gov.cz@evil.com/", "", PolicyReason.NET_BAD_ADDRESS),
        ("https://user:word@sukl.gov.cz/", "", PolicyReason.NET_BAD_ADDRESS),
        ("https://127.0.0.1/", "Read 127.0.0.1", PolicyReason.NET_BAD_ADDRESS),
        ("https://[::1]/", "", PolicyReason.NET_BAD_ADDRESS),
        ("https://2130706433/", "", PolicyReason.NET_BAD_ADDRESS),
        ("https://0x7f.1/", "", PolicyReason.NET_BAD_ADDRESS),
        ("https://localhost/", "Read localhost", PolicyReason.NET_BAD_ADDRESS),
        ("https://printer.local/", "Read printer.local", PolicyReason.NET_BAD_ADDRESS),
        ("https://sukl.gov.cz\\@evil.com/", "", PolicyReason.NET_BAD_ADDRESS),
        ("https://sukl.gov.cz/\r\nHost: evil", "", PolicyReason.NET_BAD_ADDRESS),
        ("file:///etc/passwd", "", PolicyReason.NET_BAD_ADDRESS),
        ("https://" + "a" * 600 + ".com", "", PolicyReason.NET_BAD_ADDRESS),
    ],
)
def test_a_page_is_one_the_user_named(url: str, asked: str, why: PolicyReason | None) -> None:
    assert fetch_denial(url, asked, HOSTS) is why


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("https://example.com", None),
        ("https://example.com/", None),
        ("https://example.com/guide", None),
        ("https://example.com/typed", None),
        ("https://example.com/walnut-copper-lantern", PolicyReason.NET_QUERY_NOT_TYPED),
        ("https://example.com/guide/tulip", PolicyReason.NET_QUERY_NOT_TYPED),
        ("https://sukl.gov.cz/leky", None),
    ],
)
def test_a_path_on_a_named_host_was_read_or_typed_and_not_made_up(url: str, why: PolicyReason | None) -> None:
    """A page that the user named may be the attacker's: what the agent puts into a path would arrive there."""
    asked = "Read example.com and https://example.com/typed"
    seen = ["The next page is https://example.com/guide", "The safe opens with walnut copper lantern, the word is tulip."]
    assert fetch_denial(url, asked, HOSTS, seen) is why


@given(st.text(max_size=80))
def test_whatever_passes_as_an_address_is_https_with_a_plain_name(text: str) -> None:
    host = plain_host(text)
    if host is not None:
        assert text.lower().startswith(f"https://{host}")
        with pytest.raises(ValueError, match="does not appear"):
            ipaddress.ip_address(host)


@given(
    st.one_of(
        st.ip_addresses(network="10.0.0.0/8"), st.ip_addresses(network="169.254.0.0/16"), st.ip_addresses(network="fc00::/7")
    )
)
def test_private_addresses_are_not_public(address: object) -> None:
    assert not public_address(str(address))


@pytest.mark.parametrize(
    "text",
    [
        *("127.0.0.1", "224.0.0.1", "0.0.0.0", "100.64.0.1", "255.255.255.255", "nonsense", "", "10.0.0.1 "),
        *("169.254.169.254", "100.100.100.200", "168.63.129.16", "192.0.0.192", "fd00:ec2::254"),
        *("::1", "::", "::127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "2002:0a00:0001::", "fe80::1", "fe80::1%eth0"),
        *("fec0::1", "ff02::1", "64:ff9b::10.0.0.1", "64:ff9b:1::8.8.8.8", "2001:0:4136:e378:8000:63bf:3fff:fdd2", "2001:10::1"),
    ],
)
def test_these_are_not_public_either(text: str) -> None:
    assert not public_address(text)


@given(st.ip_addresses(v=4))
def test_an_address_in_another_one_is_public_only_if_both_are(inner: IPv4Address) -> None:
    high, low = divmod(int(inner), 0x10000)
    for text in (f"::ffff:{inner}", f"64:ff9b::{inner}", f"2002:{high:x}:{low:x}::1"):
        assert not public_address(text) or public_address(str(inner)), text


def test_a_public_one_is() -> None:
    assert public_address("93.184.216.34")
    assert public_address("2606:2800:220:1:248:1893:25c8:1946")
    assert public_address("64:ff9b::93.184.216.34")
