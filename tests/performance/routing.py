"""What routing costs: 10,000 mails against 200 rules of every kind, the last of which catches all.

    python3 packaging/dev.py bench routing [--mails 10000] [--rules 200] [--seed 1] --json

`mail_us_*` is the time of one `RuleSet.route`, in microseconds, over mails with 20 headers and bodies of 2 kB on average;
`cpu_us_mean` is the processor's part of it. `load_ms` reads and checks the rules' YAML file.
"""

import argparse
import json
import random
import statistics
import sys
import tempfile
import time
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from app.config.rules.editing import write_rules  # noqa: E402
from app.config.rules.rules import parse_rules, rule_set  # noqa: E402
from app.config.user_files import read_text  # noqa: E402
from app.domain.agents.routing import HeaderPattern, RoutingRule, RuleMatch  # noqa: E402
from app.domain.agents.runs import Route  # noqa: E402
from app.domain.mail.message import Address, RemoteMessage  # noqa: E402
from app.domain.record import replace  # noqa: E402
from fakes.engine.store.values import remote  # noqa: E402

WORDS = ("order", "delivery", "invoice", "meeting", "please", "Friday", "price", "box", "příloha", "objednávka", "question")


@dataclass
class Report:
    """What is printed."""

    mails: int
    rules: int
    load_ms: float = 0.0
    mail_us_mean: float = 0.0
    cpu_us_mean: float = 0.0
    mail_us_p50: float = 0.0
    mail_us_p99: float = 0.0
    mail_us_max: float = 0.0
    total_ms: float = 0.0
    matched_before_the_last_rule: int = 0
    rules_that_matched: int = 0


def make_rules(amount: int, chance: random.Random) -> list[RoutingRule]:
    """Rules of each kind in turn, then one for everything."""
    kinds = (
        lambda at: RuleMatch(sender_email=f"person{at}@firm{at}.example"),
        lambda at: RuleMatch(sender_domain=f"firm{at}.example"),
        lambda at: RuleMatch(subject_contains=f"ticket {at}"),
        lambda at: RuleMatch(header_match=(HeaderPattern("List-Id", rf"<list-{at}\..*>"),)),
        lambda at: RuleMatch(forwarded_from=f"info{at}@shop.example"),
        lambda at: RuleMatch(sender_domain=f"firm{at}.example", subject_contains=chance.choice(WORDS)),
    )
    made = [RoutingRule(f"rule {at}", kinds[at % len(kinds)](at), Route.RESPONSE_AGENT) for at in range(amount - 1)]
    return [*made, RoutingRule("everything", RuleMatch(all=True), Route.PIPELINE)]


def make_mail(at: int, amount: int, chance: random.Random) -> RemoteMessage:
    """A mail that some rule may be about."""
    about = chance.randrange(amount * 3)
    sender = Address(f"person{about}@firm{about}.example")
    words = " ".join(chance.choices(WORDS, k=chance.randrange(20, 600)))
    text = f"{words}\nFrom: Shop <info{about}@shop.example>\nwrote to office@home.example" if at % 5 == 0 else words
    made = remote(str(at), subject=f"Re: {chance.choice(WORDS)} ticket {about}", sender=sender, text=text)
    headers = (*((f"X-Header-{one}", chance.choice(WORDS) * 5) for one in range(18)), ("List-Id", f"<list-{about}.example>"))
    return replace(made, headers=headers)


def measure(mails: int, rules: int, seed: int) -> Report:
    """Everything, in this process."""
    chance = random.Random(seed)
    report = Report(mails, rules)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "routing.yaml"
        write_rules(path, make_rules(rules, chance))
        start = time.perf_counter()
        loaded = parse_rules(read_text(path), path)
        ready = rule_set(loaded)
        report.load_ms = round((time.perf_counter() - start) * 1000, 1)
    letters = [make_mail(at, rules, chance) for at in range(mails)]
    times: list[float] = []
    won: Counter[str] = Counter()
    cpu = time.process_time()
    for letter in letters:
        start = time.perf_counter()
        routed = ready.route(letter)
        times.append((time.perf_counter() - start) * 1e6)
        won[routed.rule] += 1
    report.cpu_us_mean = round((time.process_time() - cpu) * 1e6 / len(letters), 1)
    ranked = sorted(times)
    report.total_ms = round(sum(times) / 1000, 1)
    report.mail_us_mean = round(statistics.mean(times), 1)
    report.mail_us_p50 = round(statistics.median(times), 1)
    report.mail_us_p99 = round(ranked[int(len(ranked) * 0.99)], 1)
    report.mail_us_max = round(ranked[-1], 1)
    report.matched_before_the_last_rule = mails - won["everything"]
    report.rules_that_matched = len(won)
    return report


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--mails", type=int, default=10_000)
    parser.add_argument("--rules", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    report = asdict(measure(asked.mails, asked.rules, asked.seed))
    print(json.dumps(report, indent=2) if asked.json else "\n".join(f"{name}: {value}" for name, value in report.items()))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
