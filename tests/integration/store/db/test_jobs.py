"""The durable queue: one open job per kind and key, newest first, nothing lost with a worker."""

from datetime import timedelta

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import invariant, rule

from app.domain.ids import JobId
from app.store.db.database import Database
from app.store.db.jobs import Jobs
from fakes.engine.store.rows import cancel_job
from fakes.engine.store.state_machine import StoreMachine
from fakes.engine.store.values import NOON, HandClock


@pytest.fixture
def jobs(db: Database, clock: HandClock) -> Jobs:
    return Jobs(db, clock)


def test_priority_then_newest(jobs: Jobs) -> None:
    """Within a priority the newest mail is first; other kinds do not matter."""
    jobs.put("route", "old", "", newest=NOON - timedelta(days=1))
    jobs.put("route", "new", '{"a": 1}', newest=NOON)
    jobs.put("route", "urgent", "", priority=1, newest=NOON - timedelta(days=9))
    jobs.put("index", "other", "", priority=9)
    taken = [jobs.claim("route", 60) for _ in range(4)]
    assert [job and job.key for job in taken] == ["urgent", "new", "old", None]
    assert taken[1] is not None
    assert (taken[1].payload, taken[1].attempts) == ('{"a": 1}', 1)


def test_one_open_job_per_key(jobs: Jobs) -> None:
    """A second put is refused until the first is done or failed for good."""
    assert jobs.put("route", "1", "first")
    assert not jobs.put("route", "1", "second")
    assert jobs.put("index", "1", "")
    job = jobs.claim("route", 60)
    assert job is not None
    assert not jobs.put("route", "1", "second")
    jobs.done(job.id)
    assert jobs.put("route", "1", "third")
    assert cancel_job(jobs, "route", "1")
    assert not cancel_job(jobs, "route", "1")


def test_a_lease_runs_out(clock: HandClock, jobs: Jobs) -> None:
    """What a dead worker held is taken again after its lease, or at start."""
    jobs.put("route", "1", "")
    assert jobs.claim("route", 60) is not None
    assert jobs.claim("route", 60) is None
    clock.pass_s(60)
    again = jobs.claim("route", 60)
    assert again.attempts == 2
    jobs.release_leases()
    assert jobs.claim("route", 60) is not None


def test_failing(db: Database, clock: HandClock, jobs: Jobs) -> None:
    """A failure with a time is tried again then; one without stays as failed, and is open no more."""
    jobs.put("route", "1", "")
    job = jobs.claim("route", 60)
    jobs.fail(job.id, "offline", clock.now + timedelta(seconds=30))
    assert jobs.claim("route", 60) is None
    clock.pass_s(30)
    assert jobs.claim("route", 60) is not None
    jobs.fail(job.id, "gave up", None)
    assert jobs.counts() == {}
    assert jobs.claim("route", 60) is None
    assert tuple(db.read("SELECT error FROM jobs")[0]) == ("gave up",)
    assert jobs.put("route", "1", "")


def test_not_before_its_time(clock: HandClock, jobs: Jobs) -> None:
    """`run_at` holds a job back."""
    jobs.put("memory", "1", "", run_at=NOON + timedelta(minutes=1))
    assert jobs.claim("memory", 60) is None
    clock.pass_s(60)
    assert jobs.claim("memory", 60) is not None


def test_many_at_once(db: Database, clock: HandClock, jobs: Jobs) -> None:
    """A batch is newest first and leased as one; the queue survives a reopening."""
    for at in range(7):
        jobs.put("index", str(at), "", newest=NOON + timedelta(minutes=at))
    assert [job.key for job in jobs.claim_many("index", 60, 3)] == ["6", "5", "4"]
    jobs.done(*[job.id for job in jobs.claim_many("index", 60, 2)])
    assert jobs.counts() == {"index": 5}
    db.close()
    again = Database.open(db.path)
    assert Jobs(again, clock).counts() == {"index": 5}
    again.close()


class QueueMachine(StoreMachine):
    """Any order of puts, claims, ends and waiting against a dictionary."""

    def __init__(self) -> None:
        super().__init__()
        self.jobs = Jobs(self.db, self.clock)
        self.open: dict[str, tuple[int, float]] = {}
        self.leased: dict[str, JobId] = {}

    @rule(key=st.sampled_from("abcde"), priority=st.integers(0, 2))
    def put(self, key: str, priority: int) -> None:
        assert self.jobs.put("route", key, "", priority=priority, newest=NOON + timedelta(minutes=ord(key))) == (
            key not in self.open
        )
        self.open.setdefault(key, (priority, 0.0))

    @rule()
    def claim(self) -> None:
        """Take the best that is free."""
        now = self.clock.now.timestamp()
        free = [(priority, key) for key, (priority, until) in self.open.items() if until <= now]
        job = self.jobs.claim("route", 30)
        assert (job and job.key) == (max(free)[1] if free else None)
        if job is not None:
            self.open[job.key] = (self.open[job.key][0], now + 30)
            self.leased[job.key] = job.id

    @rule(key=st.sampled_from("abcde"), how=st.sampled_from(["done", "retry", "lost"]))
    def end(self, key: str, how: str) -> None:
        """Finish a claimed one."""
        if key not in self.leased or key not in self.open:
            return
        job = self.leased.pop(key)
        if how == "retry":
            self.jobs.fail(job, "again", self.clock.now + timedelta(seconds=10))
            self.open[key] = (self.open[key][0], self.clock.now.timestamp() + 10)
            return
        if how == "done":
            self.jobs.done(job)
        else:
            self.jobs.fail(job, "for good", None)
        del self.open[key]

    @rule(seconds=st.sampled_from([1, 10, 30]))
    def wait(self, seconds: int) -> None:
        """Let time pass."""
        self.clock.pass_s(seconds)

    @invariant()
    def counts(self) -> None:
        """What is open is what the model says."""
        assert self.jobs.counts() == ({"route": len(self.open)} if self.open else {})


TestQueue = QueueMachine.TestCase
TestQueue.settings = settings(max_examples=15, stateful_step_count=25, deadline=None)


def test_the_next_due_job_is_read_and_nothing_is_claimed(clock: HandClock, jobs: Jobs) -> None:
    jobs.put("wake", "a", "{}")
    jobs.put("classify", "b", "{}")
    first = jobs.next_due(("wake", "classify"), ())
    assert first is not None
    assert first == jobs.next_due(("wake", "classify"), ())
    second = jobs.next_due(("wake", "classify"), {first.id})
    assert (first.kind, first.attempts, second.kind) == ("wake", 1, "classify")
    assert jobs.next_due(("wake", "classify"), {first.id, second.id}) is None
    jobs.again(first, "offline", clock() + timedelta(seconds=60))
    assert jobs.next_due(("wake",), ()) is None
    assert jobs.open(first.id)
    clock.pass_s(61)
    late = jobs.next_due(("wake",), ())
    assert late.attempts == 2
    jobs.done(late.id)
    assert not jobs.open(late.id)


def test_who_finished_a_job_does_not_end_one_put_since(clock: HandClock, jobs: Jobs) -> None:
    """A job put again under the same key is another job: whoever still holds the older one's name cannot touch it."""
    jobs.put("index", "1", "first")
    first = jobs.claim("index", 60)
    jobs.done(first.id)
    jobs.put("index", "1", "second")
    jobs.done(first.id)
    jobs.fail(first.id, "late", None)
    jobs.again(first, "late", clock())
    assert not jobs.open(first.id)
    second = jobs.claim("index", 60)
    assert (second.payload, second.attempts, second.id == first.id) == ("second", 1, False)


def test_a_failed_job_that_is_put_again_begins_anew(db: Database, jobs: Jobs) -> None:
    jobs.put("index", "1", "first", priority=3)
    failed = jobs.claim("index", 60)
    jobs.fail(failed.id, "for good", None)
    assert jobs.put("index", "1", "second")
    job = jobs.claim("index", 60)
    assert (job.payload, job.attempts) == ("second", 1)
    assert tuple(db.read("SELECT error, failed_at, priority FROM jobs")[0]) == ("", None, 0)


def test_equal_jobs_come_newest_put_first(jobs: Jobs) -> None:
    """As ever; and jobs that are due are read as they would be claimed."""
    for key in "abc":
        jobs.put("route", key, "", newest=NOON)
    read = jobs.due(("route",), 2, ())
    assert [job.key for job in read] == ["c", "b"]
    assert [job.key for job in jobs.due(("route",), 2, {read[0].id})] == ["b", "a"]
    assert [job.id for job in jobs.claim_many("route", 60, 2)] == [job.id for job in read]
    assert [job.key for job in jobs.due(("route",), 9, ())] == ["a"]


def test_the_next_job_of_several_kinds_is_the_first_kinds_best(clock: HandClock, jobs: Jobs) -> None:
    jobs.put("classify", "new", "{}", priority=9, newest=clock() + timedelta(days=9))
    for key, days in (("old", 1), ("newer", 3), ("middle", 2)):
        jobs.put("wake", key, "{}", newest=clock() + timedelta(days=days))
    jobs.put("other", "x", "{}", priority=99)
    taken: list[JobId] = []
    order = []
    while (job := jobs.next_due(("wake", "classify"), taken)) is not None:
        taken.append(job.id)
        order.append(job.key)
    assert order == ["newer", "middle", "old", "new"]


def test_jobs_whose_keys_begin_so_are_due_at_once(clock: HandClock, jobs: Jobs) -> None:
    later = clock() + timedelta(hours=1)
    for kind, key in (("wake", "mail-1-0:a"), ("wake", "mail-1-0:b"), ("wake", "mail-1-01:a"), ("other", "mail-1-0:a")):
        jobs.put(kind, key, "", later)
    assert jobs.run_now("wake", "mail-1-0:")
    assert not jobs.run_now("wake", "mail-2-0:")
    assert sorted(job.key for job in jobs.due(("wake",), 9, ())) == ["mail-1-0:a", "mail-1-0:b"]
    assert not jobs.due(("other",), 9, ())
    for job in jobs.due(("wake",), 9, ()):
        jobs.fail(job.id, "lost", None)
    assert not jobs.run_now("wake", "mail-1-0:")
