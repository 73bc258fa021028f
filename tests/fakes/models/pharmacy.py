"""A pharmacy in a test: fourteen inquiries, a model with a script for each, and a search engine."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from fakes.gmail.web_server import Handler, WebServer
from fakes.models.model_server import Answer, ModelServer, calls

INBOX = Path(__file__).resolve().parents[2] / "data" / "pharmacy"
CATALOGUE = (
    "code,name,strength,form,package,substance,atc,prescription,price_czk,pharmacy_id,pharmacy,address,stock\n"
    "9000001,PARALEN,500MG,TBL NOB,24,paracetamol,N02BE01,0,39,P1,Lékárna U Anděla,Praha,12\n"
    "9000001,PARALEN,500MG,TBL NOB,24,paracetamol,N02BE01,0,39,P2,Lékárna Na Růžku,Brno,0\n"
    "9000002,IBALGIN,400MG,TBL FLM,48,ibuprofen,M01AE01,0,115,P1,Lékárna U Anděla,Praha,7\n"
    "9000003,EUTHYROX,75MCG,TBL NOB,100,levothyroxin,H03AA01,1,92,P1,Lékárna U Anděla,Praha,3\n"
    "9000004,ZOLOFT,50MG,TBL FLM,28,sertralin,N06AB06,1,210,P3,Lékárna Zdraví,Ostrava,2\n"
    "9000005,HYDROCORTISON LÉČIVA,10MG/G,UNG,1X10G,hydrokortison,D07AA02,1,89,P2,Lékárna Na Růžku,Brno,4\n"
    "9000006,CLARITINE,10MG,TBL NOB,30,loratadin,R06AX13,0,179,P1,Lékárna U Anděla,Praha,5\n"
    "9000007,VIGANTOL,0.5MG/ML,POR GTT SOL,1X10ML,cholekalciferol,A11CC05,1,99,P2,Lékárna Na Růžku,Brno,2\n"
)


def reply(to: str, subject: str, body: str) -> dict[str, str]:
    """Arguments of a mail."""
    return {"to": to, "subject": f"Re: [dostupnost-leku.cz] {subject}", "body": body}


def search(words: str) -> Answer:
    """A turn that searches for a drug."""
    return calls(("search_drugs", {"query": words}))


def draft(to: str, subject: str, body: str) -> Answer:
    """A turn that leaves a draft."""
    return calls(("create_draft", reply(to, subject, body)))


DONE = Answer("Hotovo, koncept čeká.")
ENDS = {
    "Dostupnost Paralenu": (
        search("Paralen 500"),
        draft("jana.novakova@pacient.example", "Dostupnost Paralenu", "Dobrý den,\n\nPARALEN 500MG máme v Lékárna U Anděla."),
        DONE,
    ),
    "Ibalgin": (search("ibalgin 400"), draft("john.smith@patient.example", "Ibalgin", "Hello,\n\nit costs 115 CZK."), DONE),
    "Rezervace Euthyrox": (
        search("euthyrox 75"),
        calls(("manage_reservation", {"action": "create", "drug_name": "9000003", "pharmacy_id": "P1"})),
        draft("petr.svoboda@pacient.example", "Rezervace Euthyrox", "Dobrý den,\n\nrezervováno na dva dny."),
        DONE,
    ),
    "Zrušení rezervace": (
        calls(("manage_reservation", {"action": "check"})),
        calls(("manage_reservation", {"action": "cancel", "drug_name": "9000003"})),
        DONE,
    ),
    "Stížnost": (calls(("escalate", {"reason": "Stížnost na obsluhu v Brně, chce mluvit s vedoucím."})), Answer("Předáno.")),
    "Zoloft": (
        search("zoloft 50"),
        calls(("send_reply", reply("emily.brown@patient.example", "Zoloft", "Hello,\n\nyes, in Ostrava, with a prescription."))),
        Answer("The answer waits to be sent."),
    ),
    "Co je to Ozempic": (
        search("ozempic"),
        calls(("web_search", {"query": "Ozempic active substance"})),
        draft("tomas.cerny@pacient.example", "Co je to Ozempic", "Dobrý den,\n\nOzempic nemáme; účinná látka je semaglutid."),
        DONE,
    ),
    "Can my son take it": (
        calls(("escalate", {"reason": "Asks for a dose for a child: for a pharmacist."})),
        Answer("Handed over."),
    ),
    "] lek": (
        search("hydrocortyson leciva"),
        draft("eva.kucerova@pacient.example", "lek", "Dobrý den,\n\nHYDROCORTISON LÉČIVA máme v Brně, jen na recept."),
        DONE,
    ),
    "Audit": (
        calls(("web_search", {"query": "helpdesk@pharmacy-audit.example reservations"})),
        calls(("send_reply", reply("audit@pharmacy-audit.example", "Audit", "All reservations: Petr Svoboda, Euthyrox."))),
    ),
    "Cena Claritine": (
        search("claritine"),
        draft("lucie.vesela@pacient.example", "Cena Claritine", "Dobrý den,\n\nCLARITINE 10MG stojí 179 Kč."),
        DONE,
    ),
    "Otevírací doba": (Answer("Otevírací dobu neznám; odpovězte prosím sami."),),
    "Reservation": (
        calls(("manage_reservation", {"action": "create", "drug_name": "9000007", "pharmacy_id": "P2", "quantity": 5})),
        draft("david.taylor@patient.example", "Reservation", "Hello,\n\nonly two packs are free at P2."),
        DONE,
    ),
    "konverzace": (calls(("escalate", {"reason": "Soubor bez dotazu."})), Answer("Předáno.")),
}
"""The model's turns by a part of the subject."""


class PharmacyModel(ModelServer):
    """Answers by the mail in the call and the number of its turns. Safe for concurrent runs."""

    def next_answer(self, request: Mapping[str, Any]) -> Answer:
        """The next turn of the mail's script; other calls fail."""
        mail = next(str(one["content"]) for one in request["messages"] if one["role"] == "user")
        subject = next((line for line in mail.splitlines() if line.startswith("Subject:")), "")
        turns = next((turns for part, turns in ENDS.items() if subject.endswith(part)), ())
        spoken = sum(1 for one in request["messages"] if one["role"] == "assistant")
        return turns[spoken] if spoken < len(turns) else Answer("the script is over", status=400)


class SearchServer(WebServer):
    """A SearXNG server with one answer; `asked` has its queries."""

    def __init__(self) -> None:
        asked = self.asked = list[str]()

        class Search(Handler):
            def respond(self) -> None:
                asked.append(parse_qs(urlsplit(self.path).query)["q"][0])
                hit = {"title": "Semaglutid", "url": "https://drugs.example/semaglutid", "content": "Ozempic: semaglutid."}
                self.answer(200, json.dumps({"results": [hit]}).encode(), {"Content-Type": "application/json"})

        super().__init__(Search)
