package im.zonda.module.upload;

import static im.zonda.module.upload.UploadStage.JULIET;
import static im.zonda.module.upload.UploadStage.ROMEO;
import static im.zonda.module.upload.UploadStage.SMALL;
import static im.zonda.module.upload.UploadStage.body;
import static im.zonda.module.upload.UploadStage.bytes;
import static im.zonda.module.upload.UploadStage.header;
import static im.zonda.module.upload.UploadStage.http;
import static im.zonda.module.upload.UploadStage.request;
import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.Http;
import im.zonda.config.ServerConfig;
import im.zonda.config.Uploads;
import im.zonda.http.HttpMethod;
import im.zonda.http.HttpResponse;
import im.zonda.jid.Jid;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestHttpRequest;
import im.zonda.module.upload.UploadStage.Urls;
import im.zonda.xml.Element;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UploadModuleTest {
  private final UploadStage stage = new UploadStage(SMALL);

  private void expectError(Element answer, String condition, String text) {
    assertThat(answer.attribute("type")).isEqualTo("error");
    assertThat(answer.toString()).contains("<" + condition).contains(text);
  }

  @Test
  void aFileIsUploadedAndDownloaded() throws IOException {
    Urls slot = stage.slot(ROMEO, "tr\u00e8s cool.jpg", 5, "image/jpeg");
    assertThat(slot.get()).matches("https://example\\.org/upload/[^/?]+/tr%C3%A8s%20cool\\.jpg");
    assertThat(slot.put()).startsWith(slot.get() + "?slot=");
    assertThat(stage.getStatus(slot.get())).isEqualTo(404);
    TestHttpRequest put =
        http(HttpMethod.PUT, slot.put()).with("Content-Type", "image/jpeg").with(bytes("hello"));
    assertThat(stage.status(put)).isEqualTo(201);
    HttpResponse response = stage.get(slot.get());
    assertThat(response.status()).isEqualTo(200);
    assertThat(body(response)).isEqualTo("hello");
    assertThat(header(response, "Content-Type")).isEqualTo("image/jpeg");
    assertThat(header(response, "Content-Disposition"))
        .isEqualTo("inline; filename*=UTF-8''tr%C3%A8s%20cool.jpg");
    assertThat(header(response, "ETag"))
        .isEqualTo("\"2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824\"");
    assertThat(header(response, "Cache-Control")).isEqualTo("public, max-age=31536000, immutable");
    assertThat(header(response, "X-Content-Type-Options")).isEqualTo("nosniff");
    assertThat(header(response, "Content-Security-Policy"))
        .startsWith("sandbox; default-src 'none';");
  }

  @Test
  void withoutHttpsNothingIsOffered() {
    TestContext context = new TestContext();
    ServerConfig plain = ServerConfig.defaults(List.of("example.org"), Path.of("data"));
    Http http = new Http(List.of("127.0.0.1:80"), List.of(), null, List.of("*"));
    context.config(plain.withHttp(http)).install(new UploadModule());
    assertThat(context.host().services()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "'', 1",
    "' ', 1",
    "a.txt, 0",
    "a.txt, -1",
  })
  void aRequestNeedsNameAndSize(String name, int size) {
    expectError(stage.ask(ROMEO, request(name, size, null)), "bad-request", "a size in bytes");
  }

  @Test
  void namesThatAreTooLongAreRejected() {
    String longest = "\u00e8".repeat(127) + "a";
    assertThat(stage.slot(ROMEO, longest, 1, null).get()).endsWith("%A8a");
    expectError(
        stage.ask(ROMEO, request(longest + "b", 1, null)), "bad-request", "at most 255 bytes");
  }

  @Test
  void onlyAccountsOfTheHostGetSlots() {
    for (String other : List.of("romeo@example.net/x", "example.org", "upload.example.org")) {
      expectError(stage.ask(other, request("a.txt", 1, null)), "forbidden", "type='auth'");
    }
  }

  @Test
  void aFileThatIsTooLargeIsRejectedWithTheMaximum() {
    Element answer = stage.ask(ROMEO, request("a.txt", 101, null));
    expectError(answer, "not-acceptable", "<max-file-size>100</max-file-size>");
    assertThat(answer.toString()).contains("type='modify'");
    assertThat(stage.slot(ROMEO, "a.txt", 100, null)).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"nonsense", "a/b/c", "text/<html>", "text/plain\nX: y", "/"})
  void aContentTypeMustBeOne(String type) {
    expectError(stage.ask(ROMEO, request("a.txt", 1, type)), "bad-request", "content type");
  }

  @Test
  void theQuotaOfADaySaysWhenToRetry() throws IOException {
    stage.upload(ROMEO, 100); // at noon
    stage.context.clock().advance(Duration.ofHours(1));
    stage.upload(ROMEO, 100);
    assertThat(stage.slot(ROMEO, "a.txt", 50, null)).isNotNull();
    Element answer = stage.ask(ROMEO, request("a.txt", 51, null));
    expectError(answer, "resource-constraint", "stamp='2026-11-22T12:00:");
    assertThat(answer.toString()).contains("type='wait'").contains("250 bytes in 24 hours");
    assertThat(stage.slot(JULIET, "a.txt", 51, null)).isNotNull();
    stage.context.clock().advance(Duration.ofHours(23).plusSeconds(1));
    assertThat(stage.slot(ROMEO, "a.txt", 51, null)).isNotNull();
  }

  @Test
  void theNumberOfFilesOfADayIsLimited() throws IOException {
    for (int i = 0; i < 5; i++) {
      stage.upload(ROMEO, 1);
    }
    expectError(stage.ask(ROMEO, request("a", 1, null)), "resource-constraint", "5 files");
  }

  @Test
  void theOldestFilesMakeRoomButNoneOfTheLastDay() throws IOException {
    String first = stage.upload(ROMEO, 100);
    stage.context.clock().advance(Duration.ofHours(25));
    String second = stage.upload(ROMEO, 100);
    String third = stage.upload(ROMEO, 100);
    assertThat(stage.getStatus(first)).isEqualTo(200);
    String last = stage.upload(ROMEO, 50);
    assertThat(stage.getStatus(first)).isEqualTo(404);
    for (String kept : List.of(second, third, last)) {
      assertThat(stage.getStatus(kept)).isEqualTo(200);
    }
  }

  @Test
  void filesAreRemovedWhenTheyAreTooOld() throws IOException {
    String file = stage.upload(ROMEO, 10);
    stage.context.clock().advance(Duration.ofDays(30));
    stage.context.runTasks();
    assertThat(stage.getStatus(file)).isEqualTo(200);
    stage.context.clock().advance(Duration.ofMinutes(11));
    stage.context.runTasks();
    assertThat(stage.getStatus(file)).isEqualTo(404);
    assertThat(stage.context.stores().files().hashes()).isEmpty();
  }

  @Test
  void equalContentsAreStoredOnceAndRemovedWithTheLastAccount() throws IOException {
    String file = stage.upload(ROMEO, 10);
    stage.upload(JULIET, 10);
    assertThat(stage.context.stores().files().hashes()).hasSize(1);
    stage.context.stores().accounts().remove(Jid.of("romeo@example.org"));
    assertThat(stage.getStatus(file)).isEqualTo(404);
    stage.context.clock().advance(Duration.ofMinutes(11));
    stage.context.runTasks();
    assertThat(stage.context.stores().files().hashes()).hasSize(1);
    stage.context.stores().accounts().remove(Jid.of("juliet@example.org"));
    stage.context.clock().advance(Duration.ofMinutes(11));
    stage.context.runTasks();
    assertThat(stage.context.stores().files().hashes()).isEmpty();
  }

  /// XEP-0363, section 5.3.
  @Test
  void anEphemeralFileExpires() throws IOException {
    String request =
        "<request xmlns='urn:xmpp:http:upload:0' filename='a.jpg' size='1'>"
            + "<ephemeral xmlns='urn:xmpp:http:upload:purpose:0' expire-before='%s'/></request>";
    expectError(
        stage.ask(ROMEO, request.formatted("2026-11-21T12:00:00Z")), "bad-request", "future");
    expectError(stage.ask(ROMEO, request.formatted("soon")), "bad-request", "expire-before");
    Element answer = stage.ask(ROMEO, request.formatted("2026-11-21T12:10:00Z"));
    Element slot = answer.children().getFirst();
    String put = String.valueOf(slot.children().getFirst().attribute("url"));
    String get = String.valueOf(slot.children().getLast().attribute("url"));
    assertThat(stage.status(http(HttpMethod.PUT, put).with(bytes("x")))).isEqualTo(201);
    assertThat(header(stage.get(get), "Cache-Control")).contains("max-age=600,");
    stage.context.clock().advance(Duration.ofMinutes(10));
    assertThat(stage.getStatus(get)).isEqualTo(404);
  }

  @ParameterizedTest
  @CsvSource({
    "bytes=0-1, 206, he, bytes 0-1/5",
    "bytes=1-, 206, ello, bytes 1-4/5",
    "bytes=-2, 206, lo, bytes 3-4/5",
    "bytes=-9, 206, hello, bytes 0-4/5",
    "bytes=3-99, 206, lo, bytes 3-4/5",
    "bytes=5-, 416, , bytes */5",
    "bytes=-0, 416, , bytes */5",
    "'bytes=0-1,3-4', 200, hello, ",
    "bytes=3-1, 200, hello, ",
    "bytes=-, 200, hello, ",
    "lines=1-2, 200, hello, ",
    "bytes=0-99999999999999999999999, 200, hello, ",
  })
  void aRangeIsServed(String range, int status, String body, String field) throws IOException {
    Urls slot = stage.slot(ROMEO, "a.png", 5, "image/png");
    assertThat(stage.put(slot, "hello")).isEqualTo(201);
    HttpResponse response =
        stage.context.host().http(http(HttpMethod.GET, slot.get()).with("Range", range));
    assertThat(response.status()).isEqualTo(status);
    if (body != null) {
      assertThat(body(response)).isEqualTo(body);
    }
    assertThat(header(response, "Content-Range")).isEqualTo(field);
  }

  @Test
  void whatAClientHasIsNotSentAgain() throws IOException {
    Urls slot = stage.slot(ROMEO, "a.png", 5, "image/png");
    stage.put(slot, "hello");
    String tag = String.valueOf(header(stage.get(slot.get()), "ETag"));
    for (String field : List.of(tag, "W/" + tag, "\"x\", " + tag, "*")) {
      HttpResponse response =
          stage.context.host().http(http(HttpMethod.GET, slot.get()).with("If-None-Match", field));
      assertThat(response.status()).isEqualTo(304);
      assertThat(header(response, "ETag")).isEqualTo(tag);
    }
    assertThat(stage.status(http(HttpMethod.GET, slot.get()).with("If-None-Match", "\"x\"")))
        .isEqualTo(200);
    TestHttpRequest other =
        http(HttpMethod.GET, slot.get()).with("Range", "bytes=0-1").with("If-Range", "\"x\"");
    assertThat(stage.status(other)).isEqualTo(200);
    assertThat(stage.status(other.with("If-Range", tag))).isEqualTo(206);
  }

  @Test
  void theTypeOfTheUploadCountsIfTheSlotHasNone() throws IOException {
    Urls slot = stage.slot(ROMEO, "a", 1, null);
    stage.status(
        http(HttpMethod.PUT, slot.put()).with("Content-Type", "Audio/OGG; x=y").with(bytes("x")));
    assertThat(header(stage.get(slot.get()), "Content-Type")).isEqualTo("audio/ogg");
    assertThat(header(stage.get(stage.upload(ROMEO, 1)), "Content-Type"))
        .isEqualTo("application/octet-stream");
  }

  @Test
  void aFullDiskIsSaid() throws IOException {
    stage.context.stores().files().fill();
    assertThat(stage.put(stage.slot(ROMEO, "a", 1, null), "x")).isEqualTo(507);
  }

  /// As one by a network may be.
  @Test
  void aStoreThatIsAwayIsSaid() throws IOException {
    String file = stage.upload(ROMEO, 1);
    stage.context.stores().files().fail();
    assertThat(stage.getStatus(file)).isEqualTo(503);
    assertThat(stage.put(stage.slot(ROMEO, "a", 1, null), "x")).isEqualTo(503);
    assertThat(stage.context.stores().files().open()).isZero();
  }

  @Test
  void aFileWhoseContentIsLostIsAbsent() throws IOException {
    String file = stage.upload(ROMEO, 1);
    stage.context.stores().files().removeUnused(stage.context.clock().instant(), _ -> Set.of());
    assertThat(stage.getStatus(file)).isEqualTo(404);
  }

  @Test
  void reloadTakesOverLimitsButNotWhatIsDeclared() {
    ServerConfig usual = stage.context.config();
    UploadModule module = new UploadModule();
    Uploads more = new Uploads(true, "upload", 100, 900, 900, 9, Duration.ZERO, 3, 4);
    Uploads larger = new Uploads(true, "upload", 101, 300, 250, 5, Duration.ofDays(30), 2, 3);
    assertThat(module.reload(usual, new UploadStage(more).context.config())).isTrue();
    assertThat(module.reload(usual, new UploadStage(larger).context.config())).isFalse();
  }
}
