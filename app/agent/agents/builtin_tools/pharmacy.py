"""Tools `search_drugs` and `manage_reservation`: the catalogue of drugs, and packs reserved for the sender of the mail.

The patient comes from the mail, never from the model.
"""

import asyncio
from collections.abc import Iterable, Mapping
from typing import Any

from app.agent.agents.builtin_tools.services import MailCase
from app.agent.runtime.conversation import load, tool_steps
from app.agent.runtime.proposals import plain_proposal
from app.agent.tools.registry import RegisteredTool, a_number, a_text, an_object
from app.agent.triage.threat_words import NO_REPLY
from app.domain.agents.tools import Json, ToolDefinition
from app.domain.drafting.review import Proposal, ReviewKind
from app.domain.errors import NotAllowed
from app.domain.mail.recipients import own_addresses
from app.domain.pharmacy import Drug, FoundDrug, Patient, Reservation, ReservationRequest, choose_shelf
from app.domain.policy.policy import Effect
from app.domain.record import replace
from app.store.pharmacy import DrugTable, ReservationTable

MOST_DRUGS = 20
CREATE, CHECK, CANCEL = "create", "check", "cancel"

SEARCH = ToolDefinition(
    "search_drugs",
    "Search the catalogue of drugs by name, substance or code; says what each pharmacy has free.",
    an_object(
        ("query",),
        query=a_text("Name, strength, substance or code; typing errors are forgiven.", 200),
        limit=a_number(MOST_DRUGS, default=5),
    ),
    Effect.READ,
    public=True,
)


def commits(arguments: Mapping[str, Any]) -> bool:
    """Whether a call of `manage_reservation` changes anything."""
    return arguments.get("action") != CHECK


RESERVE = ToolDefinition(
    "manage_reservation",
    "Reserve packs of a drug for the person who wrote, check their reservations, or cancel one. The owner approves changes.",
    an_object(
        ("action",),
        action={"type": "string", "enum": [CREATE, CHECK, CANCEL]},
        drug_name=a_text("The drug's code, or its full name as search_drugs gives it.", 200),
        pharmacy_id=a_text("Which pharmacy, as search_drugs names it; needed where several have it.", 60),
        quantity={"type": "integer", "minimum": 1, "maximum": 5, "default": 1, "description": "Packs to reserve."},
        reservation=a_text("The number of the reservation to cancel.", 20),
    ),
    Effect.LOCAL_WRITE,
    asks_when=commits,
)


def pharmacy_tools(case: MailCase) -> Iterable[RegisteredTool]:
    """The tools, if there is a catalogue."""
    drugs, reservations = case.toolbox.drugs, case.toolbox.reservations
    if drugs is None or not drugs.count():
        return

    async def search_drugs(query: str, limit: int = 5) -> Json:
        return {"drugs": [_shown(one) for one in await asyncio.to_thread(drugs.search, query, limit)]}

    yield RegisteredTool(SEARCH, search_drugs)
    if reservations is None:
        return

    async def manage_reservation(**arguments: Any) -> Json:
        return await asyncio.to_thread(_manage, case, drugs, reservations, arguments)

    async def propose(**arguments: Any) -> Proposal:
        return await asyncio.to_thread(_propose, case, drugs, reservations, arguments)

    yield RegisteredTool(RESERVE, manage_reservation, propose=propose)


def patient_of(case: MailCase) -> Patient:
    """The patient: the person named in the form, the one to whom answers go, or the sender."""
    fields, message = case.given.fields, case.message
    answered = message.reply_to[0] if len(message.reply_to) == 1 else message.sender
    email = (fields.get("patient_email") or answered.email).lower()
    return Patient(fields.get("patient_name") or answered.name, email)


def _manage(case: MailCase, drugs: DrugTable, reservations: ReservationTable, arguments: Mapping[str, Any]) -> dict[str, Any]:
    patient, action = patient_of(case), arguments["action"]
    if action == CHECK:
        code = drugs.named(arguments["drug_name"]).drug.code if arguments.get("drug_name") else ""
        return {"reservations": [_reservation(one) for one in reservations.of(patient, code)]}
    if action == CREATE:
        made = reservations.create(_request(case, drugs, arguments))
        return {"status": "created", **_reservation(made)}
    number = _to_cancel(reservations, drugs, patient, arguments).number
    return {"status": "cancelled", **_reservation(reservations.cancel(patient, number, case.effect_key))}


def _propose(case: MailCase, drugs: DrugTable, reservations: ReservationTable, arguments: dict[str, Any]) -> Proposal:
    """The review with drug, quantity, pharmacy and patient. Raises `NotAllowed` or `NotFound` when the call cannot succeed."""
    patient = patient_of(case)
    if arguments["action"] == CREATE:
        request = _request(case, drugs, arguments)
        reservations.preview(request)
        facts = _facts(drugs.named(request.drug_code).drug, request.quantity, request.pharmacy_id, patient)
    else:
        reservation = _to_cancel(reservations, drugs, patient, arguments)
        facts = f"{reservation.number} · {_facts(reservation.drug, reservation.quantity, reservation.pharmacy.id, patient)}"
    return replace(
        plain_proposal(case.state, ReviewKind.TOOL_CALL, facts, case.deps),
        maker=case.maker,
        tools=tool_steps(load(case.state)),
        flags=case.flags,
    )


def _request(case: MailCase, drugs: DrugTable, arguments: Mapping[str, Any]) -> ReservationRequest:
    if not arguments.get("drug_name"):
        raise NotAllowed("Which drug? Give drug_name.")
    patient = patient_of(case)
    forwarded = case.given.note or (case.given.fields and patient.email == case.message.sender.email.lower())
    if patient.email in own_addresses(case.account) or forwarded:
        raise NotAllowed(f"{patient.email} is the shop's own address. Ask the customer for theirs.")
    if NO_REPLY.search(patient.email):
        raise NotAllowed(f"Nobody reads {patient.email}. Ask the customer for an address of their own.")
    found = drugs.named(arguments["drug_name"])
    quantity = int(arguments.get("quantity", 1))
    shelf = choose_shelf(found.shelves, arguments.get("pharmacy_id", ""), quantity)
    return ReservationRequest(
        found.drug.code, shelf.pharmacy.id, quantity, patient, case.account.id, case.run_id, case.effect_key
    )


def _to_cancel(reservations: ReservationTable, drugs: DrugTable, patient: Patient, arguments: Mapping[str, Any]) -> Reservation:
    """The reservation to cancel: by number, or the only one of that drug."""
    number, name = arguments.get("reservation", ""), arguments.get("drug_name", "")
    existing = reservations.of(patient, drugs.named(name).drug.code if name and not number else "")
    fit = [one for one in existing if not number or one.number == number.strip().upper()]
    if len(fit) != 1:
        listed = ", ".join(f"{one.number} ({one.drug.label})" for one in existing) or "none"
        raise NotAllowed(f"Name the reservation to cancel. {patient.email} holds: {listed}.")
    return fit[0]


def _facts(drug: Drug, quantity: int, pharmacy_id: str, patient: Patient) -> str:
    return f"{drug.label} ({drug.code}) · {quantity} × · {pharmacy_id} · {patient.name} <{patient.email}>"


def _shown(found: FoundDrug) -> dict[str, Any]:
    drug = found.drug
    return {
        "code": drug.code,
        "name": drug.label,
        "substance": drug.substance,
        "atc": drug.atc,
        "prescription": drug.prescription,
        "price_czk": drug.price_czk,
        "stock": [{"pharmacy_id": one.pharmacy.id, "pharmacy": one.pharmacy.name, "free": one.free} for one in found.shelves],
    }


def _reservation(one: Reservation) -> dict[str, Any]:
    what = {"reservation": one.number, "drug": one.drug.label, "code": one.drug.code, "quantity": one.quantity}
    return {**what, "pharmacy_id": one.pharmacy.id, "pharmacy": one.pharmacy.name, "expires_at": one.expires_at.isoformat()}
