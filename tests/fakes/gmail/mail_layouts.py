"""Forty mail layouts as real tools write them, with the text that must stay readable."""

from dataclasses import dataclass

LONG = "Thank you for your order. We pack it today and a courier brings it to your door on Friday between nine and noon."


@dataclass(frozen=True, slots=True)
class Layout:
    """`says` must be visible, `hides` must not be."""

    name: str
    html: str
    says: tuple[str, ...]
    hides: tuple[str, ...] = ()


def layouts() -> list[Layout]:
    return [*_letters(), *_newsletters(), *_office(), *_dark(), *_tables(), *_lists(), *_scripts_of_the_world(), *_odd()]


def _letters() -> list[Layout]:
    signature = (
        "<table cellpadding=0 border=0><tr><td style='padding-right:12px;border-right:2px solid #c33'>"
        "<img src='https://a.example/logo.png' alt='Berg and Sons' width=80></td><td style='font:12px Arial;color:#555'>"
        "<b style='color:#222'>Ann Berg</b><br>Head of Sales<br><a href='tel:+4212'>+421 2 5555</a> | "
        "<a href='https://berg.example'>berg.example</a></td></tr></table>"
    )
    return [
        Layout(
            "gmail-reply",
            f"<div dir=ltr>Hello Jan,<div><br></div><div>{LONG}</div></div><br><div class=gmail_quote><div dir=ltr "
            "class=gmail_attr>On Mon, Jan wrote:<br></div><blockquote class=gmail_quote style='margin:0 0 0 .8ex;"
            "border-left:1px #ccc solid;padding-left:1ex'>Where is my order?</blockquote></div>",
            ("Hello Jan,", "between nine and noon", "Where is my order?"),
        ),
        Layout(
            "apple-mail",
            f"<html><body style='word-wrap:break-word;-webkit-nbsp-mode:space;line-break:after-white-space'>{LONG}<div><br>"
            "<blockquote type=cite><div>On 3 May, Jan wrote:</div><br class=Apple-interchange-newline><div>The question."
            "</div></blockquote></div></body></html>",
            ("courier brings", "The question."),
        ),
        Layout("signature", f"<p>{LONG}</p>{signature}", ("Ann Berg", "Head of Sales", "berg.example")),
        Layout(
            "thunderbird",
            f"<html><head><meta http-equiv='content-type' content='text/html; charset=UTF-8'></head><body text='#000000' "
            f"bgcolor='#FFFFFF'><p>{LONG}</p><div class='moz-cite-prefix'>Jan wrote:<br></div><blockquote type='cite'><pre "
            "class='moz-quote-pre' wrap=''>line one\nline two</pre></blockquote></body></html>",
            ("Thank you", "line one", "line two"),
        ),
        Layout(
            "forwarded",
            f"<p>See below.</p><div><b>---------- Forwarded message ---------</b><br>From: <strong>Eva</strong> &lt;<a "
            f"href='mailto:eva@a.example'>eva@a.example</a>&gt;<br>Subject: Plan<br></div><blockquote>{LONG}<blockquote>older"
            "</blockquote></blockquote>",
            ("See below.", "Forwarded message", "eva@a.example", "older"),
        ),
        Layout(
            "font-tags",
            "<font face='Comic Sans MS' size=5 color=navy>Big news</font><br><font size=2 color='#444444'>Small words</font>"
            "<br><center><b><u>Centred</u></b></center><hr size=1 color=gray><tt>typed</tt> <strike>old</strike> <big>big</big>",
            ("Big news", "Small words", "Centred", "typed"),
        ),
    ]


def _newsletters() -> list[Layout]:
    button = (
        "<table role=presentation cellpadding=0 cellspacing=0><tr><td bgcolor='#1a73e8' style='border-radius:4px;padding:12px "
        "24px'><a href='https://a.example/go' style='color:#ffffff;text-decoration:none;font-weight:bold'>Read more</a></td></tr>"
        "</table>"
    )
    column = "<td width=180 valign=top style='padding:8px'><h3 style='margin:0;color:#333'>Part {0}</h3><p>Words of {0}.</p></td>"
    head = (
        "<style>.wrap{width:100%;background:#f4f4f4}.main{width:600px;background:#ffffff}"
        "@media (max-width:600px){.main{width:100%!important}}</style>"
    )
    return [
        Layout(
            "one-column",
            f"<body bgcolor='#f4f4f4'><table width='100%' bgcolor='#f4f4f4'><tr><td align=center><table width=600 "
            f"bgcolor='#ffffff' style='padding:24px'><tr><td><h1>March letter</h1><p>{LONG}</p>{button}</td></tr></table>"
            "</td></tr></table></body>",
            ("March letter", "Thank you", "Read more"),
        ),
        Layout(
            "two-columns",
            f"<table width=600 align=center><tr>{column.format('one')}{column.format('two')}</tr></table>",
            ("Part one", "Words of two."),
        ),
        Layout(
            "three-columns",
            f"<table width=600 align=center><tr>{''.join(column.format(one) for one in ('red', 'green', 'blue'))}</tr></table>",
            ("Part red", "Part green", "Words of blue."),
        ),
        Layout(
            "responsive",
            f"{head}<div class=wrap><center><table class=main><tr><td>{LONG}{button}</td></tr></table></center></div>",
            ("courier brings", "Read more"),
        ),
        Layout(
            "preheader",
            "<div style='display:none;max-height:0;overflow:hidden;mso-hide:all'>Only in the list</div><span style='opacity:0;"
            f"font-size:1px;line-height:1px;max-height:0;max-width:0'>&zwnj;&nbsp;</span><h2>Hello</h2><p>{LONG}</p>",
            ("Hello", "Thank you"),
            ("Only in the list",),
        ),
        Layout(
            "images-only",
            "<table width=600><tr><td><a href='https://a.example/'><img src='https://a.example/1.jpg' width=600 height=80 "
            "alt='Summer sale: half price' style='display:block;border:0'></a></td></tr><tr><td><img "
            "src='https://a.example/2.jpg' width=600 height=40 alt='Shoes'></td></tr></table><p>Unsubscribe</p>",
            ("Unsubscribe",),
        ),
        Layout(
            "social-row",
            f"<p>{LONG}</p><table align=center><tr>"
            + "".join(f"<td><a href='https://a.example/{one}'>{one}</a></td>" for one in ("Web", "Blog", "Video"))
            + "</tr></table><p style='font-size:11px;color:#767676'>You get this because you asked for it.</p>",
            ("Web", "Blog", "Video", "because you asked"),
        ),
        Layout(
            "floats",
            f"<div style='width:600px'><img src='https://a.example/p.jpg' style='float:left;width:120px;height:90px;margin:0 "
            f"12px 8px 0' alt=''><h2>Beside a picture</h2><p>{LONG}</p><div style='clear:both'></div><p>Below it</p></div>",
            ("Beside a picture", "Below it"),
        ),
        Layout(
            "cards",
            "".join(
                f"<div style='border:1px solid #ddd;border-radius:8px;padding:16px;margin:8px 0;box-shadow:0 1px 3px #0003'>"
                f"<b>Card {one}</b><p style='color:#5f6368'>Words on card {one}.</p></div>"
                for one in (1, 2, 3)
            ),
            ("Card 1", "Words on card 3."),
        ),
        Layout(
            "div-blocks",
            f"<div style='max-width:560px;margin:0 auto;font-family:-apple-system,BlinkMacSystemFont,sans-serif'><div "
            f"style='display:inline-block;width:48%;vertical-align:top'>Left half</div><div style='display:inline-block;width:"
            f"48%;vertical-align:top'>Right half</div><p>{LONG}</p></div>",
            ("Left half", "Right half"),
        ),
        Layout(
            "mailchimp",
            "<center><table id=bodyTable height='100%' width='100%'><tr><td id=bodyCell><style>#bodyCell{padding:10px;"
            "border-top:0}h1{color:#202020;font-family:Helvetica;font-size:26px;line-height:125%}.mcnTextContent a{color:"
            f"#007C89}}</style><h1>Dear reader</h1><div class=mcnTextContent>{LONG} <a href='https://a.example'>More</a></div>"
            "</td></tr></table></center>",
            ("Dear reader", "Thank you", "More"),
        ),
    ]


def _office() -> list[Layout]:
    return [
        Layout(
            "word",
            "<html xmlns:o='urn:schemas-microsoft-com:office:office' xmlns:w='urn:schemas-microsoft-com:office:word'><head>"
            "<meta name=Generator content='Microsoft Word 15'><style><!-- @font-face {font-family:Calibri;panose-1:2 15 5 2}"
            "p.MsoNormal, li.MsoNormal {margin:0cm;font-size:11.0pt;font-family:'Calibri',sans-serif;} @page WordSection1 "
            "{size:612.0pt 792.0pt;} --></style><!--[if gte mso 9]><xml><o:shapedefaults v:ext='edit' spidmax='1026' /></xml>"
            f"<![endif]--></head><body lang=EN-US link='#0563C1' vlink='#954F72'><div class=WordSection1><p class=MsoNormal>"
            f"{LONG}<o:p></o:p></p><p class=MsoNormal><o:p>&nbsp;</o:p></p><p class=MsoNormal><b>From:</b> Jan <o:p>"
            f"</o:p></p></div>"
            "</body></html>",
            ("Thank you", "From:"),
            ("shapedefaults",),
        ),
        Layout(
            "ghost-tables",
            "<!--[if mso]><table width=600><tr><td width=300><![endif]--><div style='display:inline-block;width:280px'>For all"
            "</div><!--[if mso]></td><td width=300><![endif]--><div style='display:inline-block;width:280px'>Beside it</div>"
            "<!--[if mso]></td></tr></table><p>Only Outlook</p><![endif]--><!--[if !mso]><!--><p>Not for Outlook</p>"
            "<!--<![endif]-->",
            ("For all", "Beside it", "Not for Outlook"),
            ("Only Outlook",),
        ),
        Layout(
            "vml-button",
            "<!--[if mso]><v:roundrect xmlns:v='urn:schemas-microsoft-com:vml' href='https://a.example' fillcolor='#d62828'>"
            "<center>Twice</center></v:roundrect><![endif]--><a href='https://a.example' style='background-color:#d62828;color:"
            "#ffffff;display:inline-block;font:bold 14px/44px sans-serif;text-align:center;width:200px;border-radius:4px;"
            "text-decoration:none;mso-hide:all'>Confirm now</a>",
            ("Confirm now",),
            ("Twice",),
        ),
        Layout(
            "outlook-reply",
            f"<div style='font-family:Aptos,Calibri;font-size:12pt;color:rgb(0,0,0)'>{LONG}</div><div id=appendonsend></div><hr "
            "style='display:inline-block;width:98%' tabindex=-1><div id=divRplyFwdMsg dir=ltr><font face='Calibri, sans-serif' "
            "color='#000000' style='font-size:11pt'><b>From:</b> Jan<br><b>Sent:</b> Monday</font></div><div>Old words</div>",
            ("Thank you", "Sent:", "Old words"),
        ),
    ]


def _dark() -> list[Layout]:
    return [
        Layout(
            "dark-table",
            f"<table width='100%' bgcolor='#101418'><tr><td style='color:#f1f3f4;padding:24px'><h1 style='color:#8ab4f8'>Night "
            f"news</h1><p>{LONG}</p></td></tr></table>",
            ("Night news", "Thank you"),
        ),
        Layout(
            "dark-class",
            f"<style>.night{{background-color:#0b0b0f;color:#fff;padding:20px}}.night a{{color:#ffd166}}</style><div class=night>"
            f"<h2>White on black</h2><p>{LONG}</p><a href='https://a.example'>Gold link</a></div>",
            ("White on black", "Gold link"),
        ),
        Layout(
            "dark-body",
            f"<html><body bgcolor='#1b1b1b' text='#eeeeee' style='background-color:#1b1b1b;color:#eeeeee'><h2>Body in black</h2>"
            f"<p>{LONG}</p></body></html>",
            ("Body in black", "Thank you"),
        ),
        Layout(
            "dark-body-light-words",
            f"<body bgcolor=#1b1b1b><p style='color:#e8eaed'>{LONG}</p><a style='color:#8ab4f8'"
            f" href='https://a.example'>Blue link"
            "</a></body>",
            ("Thank you", "Blue link"),
        ),
        Layout(
            "dark-body-class",
            f"<html><head><style>body{{background:#202124;color:#e8eaed;margin:0}}</style></head><body><h2>Styled body</h2>"
            f"<p>{LONG}</p></body></html>",
            ("Styled body", "Thank you"),
        ),
        Layout(
            "picture-behind",
            "<table width=600><tr><td background='https://a.example/bg.jpg' bgcolor='#264653' style=\"background:#264653 "
            "url('https://a.example/bg.jpg') center/cover;padding:40px;color:#ffffff\"><h1 style='color:#fff'>Over a picture</h1>"
            "</td></tr></table>",
            ("Over a picture",),
        ),
        Layout(
            "gradient",
            "<div style='background:linear-gradient(90deg,#6a11cb,#2575fc);color:#ffffff;padding:24px'><h2>On a"
            " gradient</h2></div>"
            "<div style='background-image:linear-gradient(#000,#222);color:#fafafa'>White on nothing</div>",
            ("On a gradient", "White on nothing"),
        ),
        Layout(
            "dark-scheme",
            "<head><meta name=color-scheme content='light dark'><style>:root{color-scheme:light dark}@media "
            "(prefers-color-scheme:dark){.box{background:#222!important;color:#eee!important}}.box{background:#fff;color:#111}"
            f"</style></head><div class=box>{LONG}</div>",
            ("Thank you",),
        ),
    ]


def _tables() -> list[Layout]:
    rows = "".join(
        f"<tr style='background:{c}'><td>Item {n}</td><td align=right>{n}0.00</td></tr>" for n, c in ((1, "#fff"), (2, "#f6f8fa"))
    )
    leg = "<table width='100%'><tr><td><b>PRG</b><br>08:15</td><td align=center>&rarr;</td>"
    leg += "<td align=right><b>{}</b><br>10:05</td></tr></table>"
    return [
        Layout(
            "receipt",
            f"<h2>Receipt 4711</h2><table width='100%' cellpadding=6 style='border-collapse:collapse'>{rows}<tr><td><b>Total</b>"
            "</td><td align=right><b>30.00</b></td></tr></table>",
            ("Receipt 4711", "Item 2", "30.00"),
        ),
        Layout(
            "invoice",
            f"<table border=1 cellpadding=4 cellspacing=0><caption>Invoice</caption><thead><tr><th>What</th><th>Price</th></tr>"
            f"</thead><tbody>{rows}</tbody><tfoot><tr><td colspan=2>Pay within 14 days</td></tr></tfoot></table>",
            ("Invoice", "What", "Pay within 14 days"),
        ),
        Layout(
            "itinerary",
            f"<table width=600 style='border:1px solid #ccc'><tr><td>{leg.format('LHR')}</td></tr><tr>"
            f"<td>{leg.format('JFK')}</td>"
            "</tr></table>",
            ("PRG", "LHR", "JFK", "10:05"),
        ),
        Layout(
            "parcel",
            "<table width='100%' height=8><tr><td bgcolor='#2a9d8f'></td><td bgcolor='#2a9d8f'></td><td"
            " bgcolor='#e0e0e0'></td></tr>"
            "</table><p>Your parcel is <b style='color:#2a9d8f'>on its way</b></p>",
            ("on its way",),
        ),
        Layout(
            "wide-table",
            "<table border=1><tr>"
            + "".join(f"<td nowrap>Column {one}</td>" for one in range(1, 31))
            + "</tr></table><p>After it</p>",
            ("Column 1", "Column 30", "After it"),
        ),
        Layout(
            "survey",
            "<p>How likely?</p><table><tr>"
            + "".join(
                f"<td style='padding:8px;border:1px solid #888' bgcolor='#eef'><a href='https://a.example/{one}'>{one}</a></td>"
                for one in range(11)
            )
            + "</tr></table>",
            ("How likely?", "10"),
        ),
        Layout("deep-nesting", "<table><tr><td>" * 25 + "Deep words" + "</td></tr></table>" * 25, ("Deep words",)),
    ]


def _lists() -> list[Layout]:
    return [
        Layout(
            "lists",
            "<ul><li>one<ul><li>one a<li>one b</ul><li>two</ul><ol start=3 type=a><li>third<li>fourth</ol><dl><dt>Word<dd>Its "
            "meaning</dl>",
            ("one b", "fourth", "Its meaning"),
        ),
        Layout(
            "patch",
            "<pre style='font-family:monospace'>diff --git a/x b/x\n-old line\n+new line\n  indented &lt;tag&gt;"
            "</pre><p>--<br>You "
            "are receiving this because you were mentioned.</p>",
            ("-old line", "+new line", "<tag>"),
        ),
        Layout(
            "code",
            "<p>Run <code style='background:#f6f8fa;padding:2px 4px'>make test</code></p><blockquote style='border-left:.25em "
            "solid #d0d7de;color:#57606a;padding:0 1em'>quoted</blockquote><p><kbd>Ctrl</kbd>+<kbd>C</kbd></p>",
            ("make test", "quoted", "Ctrl"),
        ),
        Layout(
            "login-code",
            "<div style='text-align:center'><p>Your code</p><div style='font-size:32px;letter-spacing:8px;background:#f2f2f2;"
            "padding:16px;font-weight:bold'>493 201</div><p style='color:#999999;font-size:12px'>It ends in ten"
            " minutes.</p></div>",
            ("493 201", "ten minutes"),
        ),
    ]


def _scripts_of_the_world() -> list[Layout]:
    return [
        Layout(
            "hebrew",
            "<div dir=rtl style='text-align:right'><p>שלום רב, תודה על ההזמנה</p><p>Order 12</p></div>",
            ("שלום רב", "Order 12"),
        ),
        Layout("arabic", "<p dir=rtl align=right>مرحبا، شكرا لطلبك</p>", ("مرحبا",)),
        Layout(
            "japanese",
            "<div lang=ja style='font-family:Meiryo'>ご注文ありがとうございます。<br>発送は金曜日です。</div>",
            ("ご注文", "金曜日"),
        ),
        Layout("czech", "<p style='font-family:Arial'>Příliš žluťoučký kůň úpěl ďábelské ódy.</p>", ("žluťoučký kůň",)),
    ]


def _odd() -> list[Layout]:
    return [
        Layout("long-link", f"<p>Open https://a.example/{'x' * 400} now</p><p>End</p>", ("Open", "now", "End")),
        Layout("no-tags-but-breaks", f"{LONG}<br><br>Regards<br>Ann", ("Thank you", "Regards")),
        Layout("unclosed", f"<html><body><table><tr><td><b>Bold {LONG}<p>Next<div>Last", ("Bold", "Next", "Last")),
        Layout(
            "white-paper",
            f"<div style='background-color:white'><p style='color:#202124'>{LONG}</p><p style='color:#0000ee'>Blue"
            f" words</p></div>",
            ("Thank you", "Blue words"),
        ),
        Layout("dark-ink-only", f"<p style='color:#1f1f1f;font-family:Georgia'>{LONG}</p>", ("Thank you",)),
        Layout("zero-size", f"<p style='font-size:0'>nothing</p><p style='line-height:1.4'>{LONG}</p>", ("Thank you",)),
    ]
