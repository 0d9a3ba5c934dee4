#include "results/page/page_internal.h"

/* Contrast of all text with what it stands on is 4.5 or more, in the light and in the dark; tests/tools/page.py
 * measures it. */
const char *const page_style[] = {
	":root{color-scheme:light dark;--fg:#1d2024;--bg:#fff;--muted:#595f67;--line:#d5d8dc;--soft:#f3f4f6;"
	"--link:#0b57a4;--good:#17652a;--bad:#a3201a;--notice:#fdf6e3;--edge:#b58900}\n"
	/* Pictures, turned dark below, have just this background. */
	"@media (prefers-color-scheme:dark){:root{--fg:#e2e4e7;--bg:#1a1a1a;--muted:#a6abb2;--line:#3c3f44;"
	"--soft:#25272a;--link:#8cbcff;--good:#7fd694;--bad:#ff9d95;--notice:#2d2818;--edge:#c9a227}"
	".picture img{filter:invert(.898) hue-rotate(180deg)}}\n",

	"*{box-sizing:border-box}\n"
	"html{font:100%/1.55 system-ui,-apple-system,\"Segoe UI\",\"Noto Sans\",\"Liberation Sans\",sans-serif;"
	"-webkit-text-size-adjust:100%;text-size-adjust:100%}\n"
	"body{margin:0 auto;padding:1.5rem 1rem 4rem;max-width:76rem;color:var(--fg);background:var(--bg);"
	"overflow-wrap:anywhere}\n"
	"h1,h2,h3{line-height:1.25;text-wrap:balance}\n"
	"h1{font-size:1.9rem;margin:.5rem 0}\n"
	"h2{font-size:1.35rem;margin:0 0 .75rem}\n"
	"h3{font-size:1.05rem;margin:1.75rem 0 .5rem}\n"
	"p,dl{margin:.6rem 0;max-width:44rem}\n"
	".lead{font-size:1.1rem;color:var(--muted);margin:0}\n"
	"section{border-top:1px solid var(--line);margin-top:2.25rem;padding-top:1.5rem}\n"
	"a{color:var(--link);text-underline-offset:.15em}\n"
	"a:hover{text-decoration-thickness:2px}\n"
	":focus-visible{outline:3px solid var(--link);outline-offset:2px}\n"
	"main:focus{outline:none}\n"
	".skip{position:absolute;left:-100vw}\n"
	".skip:focus{left:1rem;top:.5rem;padding:.5rem 1rem;background:var(--bg);z-index:1}\n",

	"nav{margin:1.5rem 0 0;padding:.75rem 1rem;background:var(--soft);border-radius:.4rem}\n"
	"nav p{margin:0 0 .25rem;font-weight:600}\n"
	"nav ul{margin:0;padding:0;list-style:none;columns:18rem;column-gap:2rem}\n"
	"nav li{padding:.15rem 0;break-inside:avoid}\n",

	"dl>div{display:grid;grid-template-columns:minmax(9rem,14rem) 1fr;gap:0 1rem;padding:.2rem 0;"
	"border-bottom:1px solid var(--line)}\n"
	"dt{color:var(--muted)}\n"
	"dd{margin:0;font-variant-numeric:tabular-nums}\n"
	"@media (max-width:32rem){dl>div{grid-template-columns:1fr}}\n"
	".notice{padding:.6rem .9rem;background:var(--notice);border-left:.3rem solid var(--edge)}\n"
	"code{unicode-bidi:isolate;font:.9em/1.45 ui-monospace,\"DejaVu Sans Mono\",\"Liberation Mono\",monospace}\n"
	".verbatim{background:var(--soft);border-radius:.4rem}\n"
	"pre{margin:0;padding:.75rem 1rem;overflow-wrap:normal}\n",

	".scroll{overflow:auto;max-width:100%;margin:.9rem 0}\n"
	"table{width:max-content;border-collapse:collapse;font-size:.9rem;line-height:1.4}\n"
	"caption{text-align:left;padding:0 0 .4rem;font-weight:600}\n"
	"caption span{display:inline-block;position:sticky;left:0;max-width:min(60rem,100vw - 2rem)}\n"
	"th,td{padding:.3rem .8rem .3rem 0;text-align:left;vertical-align:top;border-bottom:1px solid var(--line);"
	"max-width:min(32rem,45vw)}\n"
	"@media (max-width:32rem){table{font-size:.78rem} th,td{max-width:31vw;padding-right:.5rem}}\n"
	"th:last-child,td:last-child{padding-right:.2rem}\n"
	"thead th{font-weight:600;vertical-align:bottom;border-bottom:2px solid var(--line)}\n"
	"tbody th{font-weight:400}\n"
	"td,.number{font-variant-numeric:tabular-nums}\n"
	".number{text-align:right;white-space:nowrap;max-width:none}\n"
	"thead .number{white-space:normal}\n"
	"@media (max-width:32rem){.phrase{white-space:normal;max-width:16vw}}\n"
	".good{color:var(--good);font-weight:600}\n"
	".bad{color:var(--bad);font-weight:600}\n"
	".muted{color:var(--muted)}\n"
	"td.muted{max-width:min(14rem,45vw)}\n"
	"@media (max-width:76rem){td.muted{max-width:min(9rem,45vw)}}\n",

	"figure{margin:1.5rem 0}\n"
	"figure .picture{margin:0 0 .5rem}\n"
	"img{display:block}\n"
	/* Small enough for most windows, and large enough to be read. */
	".picture img{width:auto;height:auto;max-width:100%;min-width:44rem}\n"
	"figcaption>p:first-child:not(.origin){font-weight:600}\n"
	".origin{margin:.2rem 0;font-size:.85rem;color:var(--muted)}\n"
	"details{margin:.6rem 0}\n"
	"summary{cursor:pointer;padding:.2rem 0;color:var(--link)}\n"
	"details .scroll{max-height:75vh}\n"
	/* Its summary has said it. */
	".data caption{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}\n"
	"details thead th{position:sticky;top:0;background:var(--bg)}\n",

	/* Paper does not scroll. */
	"@media print{:root{color-scheme:light;--fg:#000;--bg:#fff;--muted:#444;--line:#bbb;--soft:#fff;--link:#000;"
	"--good:#000;--bad:#000;--notice:#fff;--edge:#666}\n"
	"html{font-size:10pt}\n"
	"body{max-width:none;padding:0}\n"
	"a{text-decoration:none}\n"
	/* The data of pictures are for the eye of a program. */
	".skip,.data{display:none}\n"
	"nav,.verbatim{padding:0}\n"
	".scroll,details .scroll{overflow:visible;max-height:none}\n"
	"table{width:auto;font-size:8pt}\n"
	"th,td{max-width:24rem;padding-right:.5rem;overflow-wrap:break-word}\n"
	/* What would not fit so: its headings are broken, and at last its words and numbers. */
	"table:has(th:nth-child(13)){font-size:6pt}\n"
	"table:has(th:nth-child(13)) :is(th,td){padding-right:.25rem}\n"
	"table:has(th:nth-child(13)) thead th,table:has(th:nth-child(20)) :is(th,td){overflow-wrap:anywhere}\n"
	"table:has(th:nth-child(20)) .number{white-space:normal}\n"
	"summary{list-style:none}\n"
	"pre{white-space:pre-wrap;overflow-wrap:anywhere;padding:0}\n"
	".picture img{filter:none;max-height:20cm;min-width:0}\n"
	"details::details-content{content-visibility:visible;display:block;height:auto}\n"
	"tr,img,.picture,figcaption,.notice,dl>div{break-inside:avoid}\n"
	"h1,h2,h3,caption,thead,summary,.picture{break-after:avoid}}\n",
	NULL};
