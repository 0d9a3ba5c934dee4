#!/usr/bin/env python3
"""Opens pages in a headless browser and looks whether all can read them: page.py BROWSER FOLDER...

Each folder has an index.html. The browser is spoken to over a pipe (Chrome DevTools Protocol), started once for all pages.
Prints what is wrong, a line each; exit code 1 when anything is. With PAGE_SHOTS=FOLDER, pictures of the pages go there."""
import base64
import fcntl
import json
import os
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from urllib.parse import quote, unquote

WIDTHS = (360, 768, 1280)
STARTUP_S, ANSWER_S = 60, 60
MAX_TABS = 400

# What is wrong with the page as it stands, whatever its width and colours.
STRUCTURE = r"""(() => {
	const wrong = [], ids = new Set();
	for (const e of document.querySelectorAll('[id]')) {
		if (ids.has(e.id)) wrong.push('id "' + e.id + '" is there twice');
		ids.add(e.id);
	}
	let level = 0;
	for (const h of document.querySelectorAll('h1,h2,h3,h4,h5,h6')) {
		const l = +h.tagName[1];
		if (l > level + 1) wrong.push('heading "' + h.textContent + '" leaves out a level');
		if (!h.textContent.trim()) wrong.push('a heading is empty');
		level = l;
	}
	if (document.querySelectorAll('h1').length !== 1) wrong.push('not one h1');
	if (document.querySelectorAll('main').length !== 1) wrong.push('not one main');
	if (!document.documentElement.lang) wrong.push('no language');
	if (!document.title) wrong.push('no title');
	if (document.scripts.length) wrong.push('scripts');
	for (const e of document.querySelectorAll('*'))
		for (const a of e.attributes)
			if (a.name.startsWith('on') || a.name === 'style') wrong.push('attribute ' + a.name);
	for (const i of document.images) {
		if (!i.alt.trim()) wrong.push(i.src + ' has no text that stands for it');
		if (!i.complete || !i.naturalWidth) wrong.push(i.src + ' is no picture');
		if (i.getAttribute('width') != i.naturalWidth) wrong.push(i.src + ' has another width');
	}
	for (const e of document.querySelectorAll('[aria-labelledby]'))
		if (!ids.has(e.getAttribute('aria-labelledby'))) wrong.push('nothing labels ' + e.id);
	for (const e of document.querySelectorAll('[role=region]'))
		if (!e.getAttribute('aria-label')) wrong.push('a region has no label');
	for (const t of document.querySelectorAll('table')) {
		if (!t.caption && !t.closest('[aria-label]')) wrong.push('a table has no name');
		if (!t.tHead) wrong.push('a table has no headings');
		if (t.querySelector('th:not([scope])')) wrong.push('a heading of a table has no scope');
		for (const r of t.rows)
			if (r.cells.length !== t.rows[0].cells.length) wrong.push('a row has ' + r.cells.length + ' cells');
	}
	const files = [];
	for (const a of document.querySelectorAll('a')) {
		const href = a.getAttribute('href');
		if (!a.textContent.trim()) wrong.push('a link without text');
		if (href.startsWith('#') && !ids.has(decodeURIComponent(href.slice(1)))) wrong.push('nothing is at ' + href);
		if (!href.startsWith('#')) files.push(href);
	}
	return {wrong, files, nr_elements: document.querySelectorAll('*').length};
})()"""

# What is wider than the page or cannot be read, at this width in these colours.
LAYOUT = r"""(() => {
	const wrong = [], root = document.documentElement;
	if (root.scrollWidth > innerWidth * (matchMedia('print').matches ? 1.25 : 1)) {
		const wide = [...document.querySelectorAll('body *')].find(e =>
			!e.parentElement.closest('.scroll') && e.getBoundingClientRect().right > innerWidth);
		wrong.push('the page is ' + root.scrollWidth + ' px wide: ' + (wide ? wide.outerHTML.slice(0, 80) : '?'));
	}
	for (const e of document.querySelectorAll('td, th, dd, dt, figcaption, p'))
		if (e.checkVisibility() && e.scrollWidth > e.clientWidth + 1) wrong.push('text sticks out: ' + e.outerHTML.slice(0, 80));
	/* A verdict is what a table is read for, on a phone, too. */
	for (const e of document.querySelectorAll('td.good, td.bad'))
		if (e.checkVisibility() && e.getBoundingClientRect().right > innerWidth)
			wrong.push('a verdict is out of sight: ' + e.parentElement.innerText.slice(0, 80));
	const parse = c => { const m = c.match(/[\d.]+/g).map(Number); return {rgb: m.slice(0, 3), a: m.length > 3 ? m[3] : 1}; };
	const light = rgb => {
		const [r, g, b] = rgb.map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
		return 0.2126 * r + 0.7152 * g + 0.0722 * b;
	};
	const ground = e => {
		for (; e; e = e.parentElement) {
			const c = parse(getComputedStyle(e).backgroundColor);
			if (c.a === 1) return c.rgb;
			if (c.a > 0) return [NaN, NaN, NaN];
		}
		return matchMedia('(prefers-color-scheme: dark)').matches ? [18, 18, 18] : [255, 255, 255];
	};
	const seen = new Set();
	let least = 99, nr = 0;
	for (const e of document.querySelectorAll('body, body *')) {
		if (![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())) continue;
		const style = getComputedStyle(e), on = ground(e);
		const key = style.color + ' on ' + on;
		nr++;
		if (seen.has(key)) continue;
		seen.add(key);
		const a = light(parse(style.color).rgb), b = light(on);
		const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
		if (!(contrast >= 4.5)) wrong.push('contrast ' + contrast.toFixed(2) + ': ' + e.outerHTML.slice(0, 80));
		least = Math.min(least, contrast);
	}
	return {wrong, nr, least, ground: light(ground(document.body))};
})()"""

# What the keyboard must reach: links, summaries, and what scrolls. Numbered, so that FOCUSED can tell them apart.
WANTED = r"""(() => {
	const seen = e => e.checkVisibility({contentVisibilityAuto: true, visibilityProperty: true});
	const scrolls = e => (e.scrollWidth > e.clientWidth || e.scrollHeight > e.clientHeight) &&
		/auto|scroll/.test(getComputedStyle(e).overflowX + getComputedStyle(e).overflowY);
	window.wanted = [...document.querySelectorAll('body *')].filter(e => seen(e) &&
		(e.matches('a[href], summary') || (e !== document.body && scrolls(e))));
	return wanted.map(e => e.outerHTML.slice(0, 80));
})()"""
FOCUSED = r"""(() => {
	const e = document.activeElement;
	const style = getComputedStyle(e), box = e.getBoundingClientRect();
	return {nr: wanted.indexOf(e), body: e === document.body, skip: e.matches('.skip'), nav: !!e.closest('nav'),
		outline: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2,
		shown: box.right > 0 && box.bottom > 0 && box.left < innerWidth && box.top < innerHeight};
})()"""


class Browser:
    """A browser of our own, at the other end of two pipes."""

    def __init__(self, program):
        self.profile = tempfile.mkdtemp(prefix='sahm-page-')
        self.buffer, self.number, self.events = b'', 0, []
        self.process = None
        # The browser has its ends as 3 and 4; ours and theirs must not be in the way there.
        low = os.pipe() + os.pipe()
        ends = [fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 10) for fd in low]
        for fd in low:
            os.close(fd)
        theirs_in, self.out, self.inp, theirs_out = ends

        def place():
            os.dup2(theirs_in, 3)
            os.dup2(theirs_out, 4)

        self.log = open(os.path.join(self.profile, 'log'), 'w+b')
        self.process = subprocess.Popen(
            [program, '--headless=new', '--remote-debugging-pipe', '--user-data-dir=' + self.profile, '--no-sandbox',
             '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run', '--no-default-browser-check', '--disable-sync',
             '--disable-extensions', '--disable-background-networking', '--disable-component-update', '--mute-audio',
             # Pages have no business anywhere else, and waiting for it would take its time.
             '--no-proxy-server', '--host-resolver-rules=MAP * ~NOTFOUND', '--hide-scrollbars', '--force-device-scale-factor=1', 'about:blank'],
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log, preexec_fn=place, pass_fds=(3, 4),
            start_new_session=True, env={**os.environ, 'HOME': self.profile, 'XDG_CONFIG_HOME': self.profile,
                                         'XDG_CACHE_HOME': self.profile})
        os.close(theirs_in)
        os.close(theirs_out)

    def close(self):
        """Ends it and all that it started, and removes what it wrote."""
        if self.process:
            if self.process.poll() is None:
                try:
                    self.call('Browser.close', limit_s=10)
                    self.process.wait(10)
                except (OSError, subprocess.TimeoutExpired, RuntimeError):
                    pass
            try:
                os.killpg(self.process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            self.process.wait()
        # Its children may still be writing.
        for _ in range(20):
            shutil.rmtree(self.profile, ignore_errors=True)
            if not os.path.exists(self.profile):
                break
            time.sleep(0.1)

    def said(self):
        self.log.seek(0)
        return self.log.read()[-2000:].decode('utf-8', 'replace')

    def read(self, end):
        while b'\0' not in self.buffer:
            ready, _, _ = select.select([self.inp], [], [], max(0, end - time.monotonic()))
            if not ready:
                raise RuntimeError('the browser does not answer: ' + self.said())
            piece = os.read(self.inp, 1 << 20)
            if not piece:
                raise RuntimeError('the browser has ended: ' + self.said())
            self.buffer += piece
        message, self.buffer = self.buffer.split(b'\0', 1)
        return json.loads(message)

    def call(self, method, params=None, session=None, limit_s=ANSWER_S):
        self.number += 1
        message = {'id': self.number, 'method': method, 'params': params or {}}
        if session:
            message['sessionId'] = session
        data = json.dumps(message).encode() + b'\0'
        try:
            while data:
                data = data[os.write(self.out, data):]
        except BrokenPipeError:
            raise RuntimeError('the browser has ended: ' + self.said())
        end = time.monotonic() + limit_s
        while True:
            answer = self.read(end)
            if answer.get('id') == self.number:
                if 'error' in answer:
                    raise RuntimeError('%s: %s' % (method, answer['error']))
                return answer['result']
            self.events.append(answer)

    def wait_for(self, method, session):
        """Waits for an event, which may have been there already."""
        end = time.monotonic() + ANSWER_S
        while not any(e.get('method') == method and e.get('sessionId') == session for e in self.events):
            self.events.append(self.read(end))


class Page:
    def __init__(self, browser, folder, complain):
        self.browser, self.folder, self.complain = browser, os.path.realpath(folder), complain
        target = browser.call('Target.createTarget', {'url': 'about:blank'})['targetId']
        self.target = target
        self.session = browser.call('Target.attachToTarget', {'targetId': target, 'flatten': True})['sessionId']
        for domain in ('Page', 'Runtime', 'Log', 'Network'):
            self.call(domain + '.enable')

    def call(self, method, params=None):
        return self.browser.call(method, params, self.session)

    def value(self, expression):
        answer = self.call('Runtime.evaluate', {'expression': expression, 'returnByValue': True})
        if 'exceptionDetails' in answer:
            raise RuntimeError(json.dumps(answer['exceptionDetails'])[:500])
        return answer['result'].get('value')

    def set_up(self, width, dark, media=''):
        self.call('Emulation.setDeviceMetricsOverride',
                  {'width': width, 'height': 800, 'deviceScaleFactor': 1, 'mobile': width < 600})
        self.call('Emulation.setEmulatedMedia',
                  {'media': media, 'features': [{'name': 'prefers-color-scheme', 'value': 'dark' if dark else 'light'}]})

    def shoot(self, name):
        folder = os.environ.get('PAGE_SHOTS')
        if folder:
            data = self.call('Page.captureScreenshot', {'captureBeyondViewport': True, 'format': 'png'})['data']
            with open(os.path.join(folder, name + '.png'), 'wb') as f:
                f.write(base64.b64decode(data))

    def check(self):
        self.set_up(WIDTHS[-1], False)
        self.call('Page.navigate', {'url': 'file://' + quote(self.folder + '/index.html')})
        self.browser.wait_for('Page.loadEventFired', self.session)
        found = self.value(STRUCTURE)
        for wrong in found['wrong']:
            self.complain(wrong)
        for name in found['files']:
            if '/' in name or not os.path.isfile(os.path.join(self.folder, unquote(name))):
                self.complain('the link %s leads nowhere' % name)
        self.check_layout('closed')
        self.set_up(WIDTHS[-1], False)
        if self.value("[...document.querySelectorAll('#claims .scroll')].some(e => e.scrollWidth > e.clientWidth)"):
            self.complain('%d px: claims are cut off' % WIDTHS[-1])
        self.check_keyboard()
        self.value("document.querySelectorAll('details').forEach(d => { d.open = true; })")
        self.check_layout('open')
        self.check_keyboard()
        self.check_print()
        self.check_traffic()
        self.browser.call('Target.closeTarget', {'targetId': self.target})

    def check_layout(self, state):
        for width in WIDTHS:
            for dark in (False, True):
                self.set_up(width, dark)
                found = self.value(LAYOUT)
                where = '%d px, %s, details %s: ' % (width, 'dark' if dark else 'light', state)
                for wrong in found['wrong']:
                    self.complain(where + wrong)
                if not found['nr']:
                    self.complain(where + 'no text')
                if not (found['ground'] < 0.1 if dark else found['ground'] > 0.9):
                    self.complain(where + 'the background is not as it should be')
                self.shoot('%s-%d-%s' % (state, width, 'dark' if dark else 'light'))

    def press_tab(self):
        for kind in ('rawKeyDown', 'keyUp'):
            self.call('Input.dispatchKeyEvent', {'type': kind, 'key': 'Tab', 'code': 'Tab', 'windowsVirtualKeyCode': 9})

    def check_keyboard(self):
        self.set_up(WIDTHS[0], False)
        self.call('Page.bringToFront')
        wanted, reached, seen = self.value(WANTED), set(), []
        for _ in range(MAX_TABS):
            self.press_tab()
            focus = self.value(FOCUSED)
            if focus['body'] or (focus['nr'] in reached and focus['nr'] >= 0):
                break
            seen.append(focus)
            if not focus['outline'] or not focus['shown']:
                self.complain('the focus cannot be seen on ' + (wanted[focus['nr']] if focus['nr'] >= 0 else 'something'))
            if focus['nr'] >= 0:
                reached.add(focus['nr'])
        if not seen or not seen[0]['skip']:
            self.complain('the keyboard does not reach the skip link first')
        nr_contents = self.value("document.querySelectorAll('nav a').length")
        if [f['nav'] for f in seen[1:1 + nr_contents]] != [True] * nr_contents:
            self.complain('the keyboard does not reach the contents next')
        for i, what in enumerate(wanted):
            if i not in reached:
                self.complain('the keyboard does not reach ' + what)

    def check_print(self):
        # A sheet of A4 less its margins. Browsers shrink what is somewhat wider, and cut the rest.
        self.set_up(680, True, 'print')
        found = self.value(LAYOUT)
        for wrong in found['wrong']:
            self.complain('print: ' + wrong)
        if found['ground'] < 0.9:
            self.complain('print: on dark paper')
        hidden = self.value("[...document.querySelectorAll('.scroll')].filter(e => getComputedStyle(e).overflowX !== "
                            "'visible').length")
        if hidden:
            self.complain('print: %d regions are clipped' % hidden)
        self.set_up(WIDTHS[-1], False)
        pdf = base64.b64decode(self.call('Page.printToPDF', {'paperWidth': 8.27, 'paperHeight': 11.69})['data'])
        if not pdf.startswith(b'%PDF-') or not re.search(rb'/Type\s*/Page\b', pdf):
            self.complain('print: no PDF')
        if os.environ.get('PAGE_SHOTS'):
            with open(os.path.join(os.environ['PAGE_SHOTS'], 'page.pdf'), 'wb') as f:
                f.write(pdf)

    def check_traffic(self):
        """What the browser said and fetched from the beginning on."""
        asked, ended, base = {}, set(), 'file://' + quote(self.folder) + '/'
        for event in self.browser.events:
            if event.get('sessionId') != self.session:
                continue
            method, params = event['method'], event['params']
            if method == 'Runtime.consoleAPICalled':
                self.complain('console: ' + json.dumps(params['args'])[:300])
            elif method == 'Runtime.exceptionThrown':
                self.complain('exception: ' + json.dumps(params)[:300])
            elif method == 'Log.entryAdded' and params['entry']['level'] in ('warning', 'error'):
                self.complain('log: ' + params['entry']['text'][:300])
            elif method == 'Network.requestWillBeSent':
                asked[params['requestId']] = params['request']['url']
            elif method == 'Network.loadingFinished':
                ended.add(params['requestId'])
            elif method == 'Network.loadingFailed':
                self.complain('not loaded: %s: %s' % (asked.get(params['requestId']), params['errorText']))
                ended.add(params['requestId'])
        for request, url in asked.items():
            inside = url.startswith(base) and '/' not in url[len(base):]
            if not inside and not url.startswith('data:'):
                self.complain('fetches %s' % url[:200])
            if request not in ended:
                self.complain('never loaded: %s' % url[:200])
        if not asked:
            self.complain('no request was seen')


def main():
    program, folders = sys.argv[1], sys.argv[2:]
    complaints = []
    # The end of this test ends the browser, too.
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(1))
    browser = Browser(program)
    try:
        browser.call('Browser.getVersion', limit_s=STARTUP_S)
        for folder in folders:
            Page(browser, folder, lambda what: complaints.append('%s: %s' % (folder, what))).check()
    except RuntimeError as e:
        complaints.append(str(e))
    finally:
        browser.close()
    for what in complaints[:200]:
        print(what)
    if not complaints:
        print('%d page%s as they should be' % (len(folders), '' if len(folders) == 1 else 's'))
    sys.exit(1 if complaints else 0)


main()
