"""Forty things a user types, and the calls that carry each out: sixteen only read, the rest do something to the world."""

# ruff: noqa: E501 - a task reads best on one line

from dataclasses import dataclass
from typing import Any

Step = tuple[str, dict[str, Any]]


@dataclass(frozen=True)
class Task:
    """What was typed and what a good assistant does, reading first."""

    request: str
    steps: tuple[Step, ...]


def tasks() -> tuple[Task, ...]:
    """All of them."""
    return (*_reading(), *_calendar(), *_mail(), *_files())


def mail(to: str, subject: str, body: str, **more: Any) -> Step:
    return "send_email", {"recipients": [to], "subject": subject, "body": body, **more}


def event(title: str, start: str, end: str, *participants: str) -> Step:
    invited = {"participants": list(participants)} if participants else {}
    return "create_event", {"title": title, "start": start, "end": end, **invited}


def _reading() -> tuple[Task, ...]:
    return (
        Task("When is the invoice of April due?", (("search_emails", {"query": "invoice"}),)),
        Task("Where does the team want to have lunch?", (("search_emails", {"query": "lunch"}),)),
        Task("When does my flight to Oslo leave?", (("search_emails", {"query": "Oslo"}),)),
        Task("What did Lily write last?", (("search_emails", {"query": "lily.white"}),)),
        Task("What is on my calendar on 2026-05-15?", (("get_day", {"day": "2026-05-15"}),)),
        Task("When is the dentist?", (("search_events", {"query": "Dentist"}),)),
        Task("Who comes to the Budget Review?", (("search_events", {"query": "Budget"}),)),
        Task("Am I free on 2026-05-18?", (("get_day", {"day": "2026-05-18"}),)),
        Task("How high is the rent in budget.txt?", (("search_files", {"query": "budget"}), ("read_file", {"file_id": "1"}))),
        Task("Where do we go on vacation?", (("search_files", {"query": "vacation"}),)),
        Task("Do I have a file about a safe?", (("search_files", {"query": "safe"}),)),
        Task("What should I bring to the review, and when is it?", (("search_emails", {"query": "review"}), ("search_events", {"query": "Budget"}))),
        Task("How long is the hike?", (("search_emails", {"query": "hiking"}),)),
        Task("Which museums in Oslo are open on Sunday?", (("web_search", {"query": "museums Oslo open Sunday"}),)),
        Task("What does https://www.oslo-airport.com/parking say?", (("fetch", {"url": "https://www.oslo-airport.com/parking"}),)),
        Task("What is in the first mail about Halcyon?", (("search_emails", {"query": "Halcyon"}),)),
    )  # fmt: skip


def _calendar() -> tuple[Task, ...]:
    look = ("get_day", {"day": "2026-05-22"})
    david, sarah = "david.smith@bluesparrowtech.com", "sarah.baker@bluesparrowtech.com"
    return (
        Task('If 2026-05-22 is free, create "Haircut" from 2026-05-22 09:00 to 2026-05-22 10:00.', (look, event("Haircut", "2026-05-22 09:00", "2026-05-22 10:00"))),
        Task('Look at 2026-05-22 and create "Deep work" from 2026-05-22 13:00 to 2026-05-22 15:00.', (look, event("Deep work", "2026-05-22 13:00", "2026-05-22 15:00"))),
        Task(f'Look at 2026-05-22 and create "Lunch" from 2026-05-22 12:00 to 2026-05-22 13:00 with {david}.', (look, event("Lunch", "2026-05-22 12:00", "2026-05-22 13:00", david))),
        Task(f'Check 2026-05-22, then create "Planning" from 2026-05-22 10:00 to 2026-05-22 11:00 with {david} and {sarah}.', (look, event("Planning", "2026-05-22 10:00", "2026-05-22 11:00", david, sarah))),
        Task("Put my flight to Oslo into the calendar for 2026-05-23.", (("search_emails", {"query": "Oslo"}), event("Flight to Oslo OS 417", "2026-05-23 08:40", "2026-05-23 10:55"))),
        Task("Put the team lunch into my calendar as an hour at noon on 2026-05-22.", (("search_emails", {"query": "lunch"}), event("Team lunch", "2026-05-22 12:00", "2026-05-22 13:00"))),
        Task("Move the Dentist to 2026-05-17 at 11.", (("search_events", {"query": "Dentist"}), ("reschedule_event", {"event_id": "2", "start": "2026-05-17 11:00"}))),
        Task("Cancel the Team Sync.", (("search_events", {"query": "Team"}), ("cancel_event", {"event_id": "1"}))),
        Task(f"Add {sarah} to the Team Sync.", (("search_events", {"query": "Team"}), ("add_participants", {"event_id": "1", "participants": [sarah]}))),
        Task('Check the calendar of 2026-05-24 and create "Tax papers" from 2026-05-24 18:00 to 2026-05-24 19:00.', (("get_day", {"day": "2026-05-24"}), event("Tax papers", "2026-05-24 18:00", "2026-05-24 19:00"))),
    )  # fmt: skip


def _mail() -> tuple[Task, ...]:
    lily, david, alex = "lily.white@gmail.com", "david.smith@bluesparrowtech.com", "alex.williams@gmail.com"
    return (
        Task(f"Tell {david} when the Budget Review is.", (("search_events", {"query": "Budget"}), mail(david, "Budget Review", "It is on 20 May at 14:00."))),
        Task(f'Look for the mail about lunch and answer {lily} "Yes, see you on Friday."', (("search_emails", {"query": "lunch"}), mail(lily, "Re: Team lunch", "Yes, see you on Friday."))),
        Task(f"Ask {alex} how long the hike takes; see what was written first.", (("search_emails", {"query": "hiking"}), mail(alex, "Hiking trip", "How long will it take?"))),
        Task(f"Send {david} the rent from budget.txt.", (("search_files", {"query": "budget"}), mail(david, "Rent", "The rent is 900."))),
        Task(f"Send {lily} vacation-plans.txt.", (("search_files", {"query": "vacation"}), mail(lily, "Plans", "Attached.", attachments=["sha256:33333333"]))),
        Task("Delete the mail about the hiking trip.", (("search_emails", {"query": "hiking"}), ("delete_email", {"email_id": "7"}))),
        Task("Mark the mail about the invoice as read.", (("search_emails", {"query": "invoice"}), ("mark_as_read", {"email_id": "1"}))),
        Task(f"Prepare an answer to {david} about the invoice, I will look at it later.", (("search_emails", {"query": "invoice"}), ("create_draft", {"to": david, "subject": "Re: Invoice", "body": "I pay it by the first of June."}))),
    )  # fmt: skip


def _files() -> tuple[Task, ...]:
    sarah = "sarah.baker@bluesparrowtech.com"
    return (
        Task("Write the items of budget.txt into a new file summary.txt.", (("search_files", {"query": "budget"}), ("create_file", {"name": "summary.txt", "content": "Rent, salaries, travel."}))),
        Task("Make a file oslo.txt with the times of my flight.", (("search_emails", {"query": "Oslo"}), ("create_file", {"name": "oslo.txt", "content": "08:40 to 10:55"}))),
        Task("Make a file packing.txt for the vacation.", (("search_files", {"query": "vacation"}), ("create_file", {"name": "packing.txt", "content": "Sunscreen, hat."}))),
        Task(f"Share budget.txt with {sarah}.", (("search_files", {"query": "budget"}), ("share_file", {"file_id": "1", "email": sarah}))),
        Task("Delete the file budget.txt.", (("search_files", {"query": "budget"}), ("delete_file", {"file_id": "1"}))),
        Task("Make a file museums.txt with museums in Oslo.", (("web_search", {"query": "museums in Oslo"}), ("create_file", {"name": "museums.txt", "content": "Munch, Kon-Tiki."}))),
    )  # fmt: skip
