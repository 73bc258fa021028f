"""An mbox file with one question."""

MBOX = b"""From ana@x.example Mon Mar  2 10:00:00 2026
From: Ana <ana@x.example>
To: me@example.com
Subject: Hello
Message-ID: <1@x.example>
Date: Mon, 2 Mar 2026 10:00:00 +0000

Are you open on Sunday?

"""
