package im.zonda.app.browser;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A window of a browser, used as a person does: what is clicked must be visible and not covered.
/// Every method waits until what it needs is there, at most [#SECONDS].
final class BrowserWindow {
  private static final int SECONDS = 20;

  /// The width of a phone's screen.
  static final int PHONE_WIDTH = 390;

  /// Waits in the page, without a call for each look.
  private static final String WAIT =
      """
      new Promise(found => {
        const end = Date.now() + 2000;
        (function look() {
          let value = null;
          try { value = (%s); } catch (e) { value = null; }
          if (value || Date.now() > end) { found(value || null); } else { setTimeout(look, 30); }
        })();
      })
      """;

  /// The place of the visible element that a click at it would reach, with the text if one is
  /// given.
  private static final String PLACE =
      """
      (() => {
        for (const element of document.querySelectorAll(%s)) {
          if (%s && !element.textContent.includes(%s)) { continue; }
          element.scrollIntoView({ block: 'nearest', inline: 'nearest' });
          const box = element.getBoundingClientRect();
          const x = box.left + box.width / 2, y = box.top + box.height / 2;
          const top = document.elementFromPoint(x, y);
          if (document.readyState === 'complete' && box.width > 0 && element.contains(top)) {
            return x + ' ' + y;
          }
        }
        return null;
      })()
      """;

  private final Chromium browser;
  private final String session;

  BrowserWindow(Chromium browser, String session) {
    this.browser = browser;
    this.session = session;
  }

  private Map<String, @Nullable Object> call(String method, String parameters) {
    return browser.call(session, method, parameters);
  }

  /// Accepts certificates that no authority has issued, as a person may.
  BrowserWindow acceptCertificates() {
    call("Security.setIgnoreCertificateErrors", "{\"ignore\":true}");
    return this;
  }

  /// Has the size of a phone, and a touch screen.
  BrowserWindow asPhone() {
    call(
        "Emulation.setDeviceMetricsOverride",
        "{\"width\":" + PHONE_WIDTH + ",\"height\":844,\"deviceScaleFactor\":2,\"mobile\":true}");
    return this;
  }

  /// Has an authenticator, such as that of a laptop, whose owner is there and has shown it.
  BrowserWindow withAuthenticator() {
    return withAuthenticator(true);
  }

  /// Has an authenticator.
  ///
  /// @param verified whether its owner has shown to be the owner
  BrowserWindow withAuthenticator(boolean verified) {
    call("WebAuthn.enable", "{}");
    call(
        "WebAuthn.addVirtualAuthenticator",
        "{\"options\":{\"protocol\":\"ctap2\",\"transport\":\"internal\","
            + "\"hasResidentKey\":true,\"hasUserVerification\":true,"
            + "\"automaticPresenceSimulation\":true,\"isUserVerified\":"
            + verified
            + "}}");
    return this;
  }

  /// Does not load what has a URL like this, in which `*` stands for anything.
  BrowserWindow without(String url) {
    call("Network.setBlockedURLs", "{\"urls\":[" + JsonReader.quote(url) + "]}");
    return this;
  }

  /// Prefers dark colours.
  BrowserWindow inTheDark() {
    call(
        "Emulation.setEmulatedMedia",
        "{\"features\":[{\"name\":\"prefers-color-scheme\",\"value\":\"dark\"}]}");
    return this;
  }

  /// Prefers a language.
  BrowserWindow speaking(String language) {
    call(
        "Network.setExtraHTTPHeaders",
        "{\"headers\":{\"Accept-Language\":" + JsonReader.quote(language) + "}}");
    return this;
  }

  /// What keeps the browser from installing the page as an app.
  String obstaclesToInstalling() {
    return Chromium.text(call("Page.getInstallabilityErrors", "{}"), "installabilityErrors");
  }

  /// Opens another page.
  void open(String url) {
    evaluate("window.left = true");
    call("Page.navigate", "{\"url\":" + JsonReader.quote(url) + "}");
    waitForPage();
  }

  /// Loads the page again.
  void reload() {
    evaluate("window.left = true");
    call("Page.reload", "{}");
    waitForPage();
  }

  private void waitForPage() {
    waitFor("!window.left && document.readyState === 'complete'");
  }

  /// The value of an expression of JavaScript, or of what it promises; null if the page changes.
  @Nullable Object evaluate(String expression) {
    Map<String, @Nullable Object> answer;
    try {
      answer =
          call(
              "Runtime.evaluate",
              "{\"expression\":"
                  + JsonReader.quote(expression)
                  + ",\"awaitPromise\":true,\"returnByValue\":true}");
    } catch (IllegalStateException e) {
      return null; // another page has come meanwhile
    }
    if (answer.containsKey("exceptionDetails")) {
      throw new AssertionError(expression + ": " + answer.get("exceptionDetails"));
    }
    return JsonReader.asObject(answer.get("result")).get("value");
  }

  /// Waits until an expression has a value that is true, and returns it.
  Object waitFor(String expression) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    while (System.nanoTime() < end) {
      Object value = evaluate(WAIT.formatted(expression));
      if (value != null) {
        return value;
      }
    }
    throw new AssertionError(
        "not so within " + SECONDS + " s: " + expression + "; the page says: " + text());
  }

  /// The text that the page shows.
  String text() {
    return String.valueOf(evaluate("document.body.innerText"));
  }

  /// Waits until the page shows a text.
  void waitForText(String text) {
    waitFor("document.body.innerText.includes(" + JsonReader.quote(text) + ")");
  }

  /// Clicks at the first element of a selector that can be clicked.
  void click(String selector) {
    clickAt(PLACE.formatted(JsonReader.quote(selector), "false", "''"));
  }

  /// Clicks at the first of these elements with that text.
  void click(String selector, String text) {
    clickAt(PLACE.formatted(JsonReader.quote(selector), "true", JsonReader.quote(text)));
  }

  /// Clicks at the first of these elements with that text until an expression is true: a list that
  /// is drawn again loses the click.
  void clickUntil(String selector, String text, String expression) {
    for (int tries = 0; tries < SECONDS / 2; tries++) {
      click(selector, text);
      if (evaluate(WAIT.formatted(expression)) != null) {
        return;
      }
    }
    throw new AssertionError("not so after clicks: " + expression + "; the page says: " + text());
  }

  private void clickAt(String place) {
    String[] point = waitFor(place).toString().split(" ", -1);
    for (String type : new String[] {"mouseMoved", "mousePressed", "mouseReleased"}) {
      call(
          "Input.dispatchMouseEvent",
          "{\"type\":\""
              + type
              + "\",\"x\":"
              + point[0]
              + ",\"y\":"
              + point[1]
              + ",\"button\":\"left\",\"clickCount\":1}");
    }
  }

  /// Writes a text into a field.
  void write(String selector, String text) {
    // A field may be replaced while the page is made.
    do {
      click(selector);
    } while (evaluate(
            WAIT.formatted("document.activeElement.matches(" + JsonReader.quote(selector) + ")"))
        == null);
    call("Input.insertText", "{\"text\":" + JsonReader.quote(text) + "}");
  }

  /// Presses the key Enter.
  void enter() {
    for (String type : new String[] {"keyDown", "keyUp"}) {
      call(
          "Input.dispatchKeyEvent",
          "{\"type\":\""
              + type
              + "\",\"key\":\"Enter\",\"code\":\"Enter\","
              + "\"windowsVirtualKeyCode\":13,\"text\":\"\\r\"}");
    }
  }

  /// Presses a key that writes nothing, such as `ArrowLeft`.
  void press(String key) {
    for (String type : new String[] {"rawKeyDown", "keyUp"}) {
      call(
          "Input.dispatchKeyEvent",
          "{\"type\":\"" + type + "\",\"key\":\"" + key + "\",\"code\":\"" + key + "\"}");
    }
  }

  /// Chooses a file in a field for files.
  void choose(String selector, Path file) {
    waitFor("document.querySelector(" + JsonReader.quote(selector) + ") !== null");
    Map<String, @Nullable Object> field =
        call(
            "Runtime.evaluate",
            "{\"expression\":"
                + JsonReader.quote("document.querySelector(" + JsonReader.quote(selector) + ")")
                + "}");
    String object = Chromium.text(JsonReader.asObject(field.get("result")), "objectId");
    call(
        "DOM.setFileInputFiles",
        "{\"files\":["
            + JsonReader.quote(file.toString())
            + "],\"objectId\":"
            + JsonReader.quote(object)
            + "}");
  }

  /// Keeps a picture of the window, for people.
  void keepPicture(Path file) throws IOException {
    String data = Chromium.text(call("Page.captureScreenshot", "{}"), "data");
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.write(file, Base64.getDecoder().decode(data));
  }
}
