package im.zonda.module.upload;

import static im.zonda.module.upload.UploadStage.JULIET;
import static im.zonda.module.upload.UploadStage.ROMEO;
import static im.zonda.module.upload.UploadStage.SMALL;
import static im.zonda.module.upload.UploadStage.bytes;
import static im.zonda.module.upload.UploadStage.header;
import static im.zonda.module.upload.UploadStage.http;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.http.HttpBody;
import im.zonda.http.HttpException;
import im.zonda.http.HttpMethod;
import im.zonda.http.HttpRequest;
import im.zonda.http.HttpResponse;
import im.zonda.jid.Jid;
import im.zonda.module.testing.TestHttpRequest;
import im.zonda.module.upload.UploadStage.Urls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Attacks on uploads: rows 86 to 88.
class UploadAttackTest {
  private final UploadStage stage = new UploadStage(SMALL);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "text/html",
        "TEXT/HTML; charset=utf-8",
        "image/svg+xml",
        "application/xhtml+xml",
        "text/xml",
        "application/xml",
        "application/rdf+xml",
        "text/javascript",
        "application/x-javascript",
        "text/ecmascript",
        "application/vnd.wap.xhtml+xml",
        "multipart/x-mixed-replace"
      })
  void row86_aDocumentThatABrowserRunsIsServedAsBytes(String type) throws IOException {
    Urls slot = stage.slot(ROMEO, "page.html", 5, type);
    assertThat(stage.put(slot, "hello")).isEqualTo(201);
    HttpResponse response = stage.get(slot.get());
    assertThat(header(response, "Content-Type")).isEqualTo("application/octet-stream");
    assertThat(header(response, "Content-Disposition")).startsWith("attachment;");
    assertThat(header(response, "X-Content-Type-Options")).isEqualTo("nosniff");
    assertThat(header(response, "Content-Security-Policy"))
        .startsWith("sandbox; default-src 'none';");
  }

  @ParameterizedTest
  @CsvSource({
    "application/pdf, attachment",
    "text/plain, attachment",
    "image/x-unknown, attachment",
    "image/png, inline",
    "video/mp4, inline"
  })
  void row86_onlyKnownMediaIsShown(String type, String disposition) throws IOException {
    Urls slot = stage.slot(ROMEO, "a", 5, type);
    stage.put(slot, "hello");
    HttpResponse response = stage.get(slot.get());
    assertThat(header(response, "Content-Type")).isEqualTo(type);
    assertThat(header(response, "Content-Disposition")).startsWith(disposition + ";");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "../../etc/passwd, .._.._etc_passwd",
        "/etc/passwd, _etc_passwd",
        "..\\..\\boot.ini, .._.._boot.ini",
        ".., _",
        "., _",
        "%2e%2e%2f, %2e%2e%2f",
        "a\u202egpj.exe, a_gpj.exe",
        "a\"; x=\"b, a\"; x=\"b"
      })
  void row87_aNameIsNoPath(String name, String kept) throws IOException {
    Urls slot = stage.slot(ROMEO, name, 5, null);
    String[] segments = URI.create(slot.get()).getPath().split("/", -1);
    assertThat(segments).hasSize(4);
    assertThat(segments[3]).isEqualTo(kept);
    assertThat(stage.put(slot, "hello")).isEqualTo(201);
    HttpResponse response = stage.get(slot.get());
    assertThat(header(response, "Content-Disposition"))
        .matches("attachment; filename\\*=UTF-8''[A-Za-z0-9._~%-]+");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/upload/", "/upload/x", "/upload/x/", "/upload/x/y/z", "/upload//a"})
  void row87_otherPathsAreNoFiles(String path) throws IOException {
    assertThat(stage.status(new TestHttpRequest(HttpMethod.GET, path))).isEqualTo(404);
    assertThat(stage.status(new TestHttpRequest(HttpMethod.PUT, path))).isEqualTo(403);
  }

  @Test
  void row87_aFileHasOneAddress() throws IOException {
    String url = stage.upload(ROMEO, 5);
    assertThat(stage.getStatus(url)).isEqualTo(200);
    assertThat(stage.getStatus(url.replace("a.txt", "b.html"))).isEqualTo(404);
  }

  @Test
  void row88_aSlotIsForItsSize() throws IOException {
    Urls slot = stage.slot(ROMEO, "a", 5, null);
    assertThat(stage.put(slot, "four")).isEqualTo(400);
    assertThat(stage.put(slot, "longer")).isEqualTo(413);
    assertThat(stage.put(slot, "")).isEqualTo(400);
    assertThat(stage.context.stores().files().hashes()).isEmpty();
    assertThat(stage.put(slot, "right")).isEqualTo(201);
  }

  @Test
  void row88_aSlotHasOneFile() throws IOException {
    Urls slot = stage.slot(ROMEO, "a", 5, null);
    assertThat(stage.put(slot, "first")).isEqualTo(201);
    assertThat(stage.put(slot, "other")).isEqualTo(409);
    assertThat(UploadStage.body(stage.get(slot.get()))).isEqualTo("first");
  }

  @Test
  void row88_aSlotIsForItsType() throws IOException {
    Urls slot = stage.slot(ROMEO, "a.png", 5, "image/png");
    TestHttpRequest page =
        http(HttpMethod.PUT, slot.put()).with("Content-Type", "text/html").with(bytes("hello"));
    assertThat(stage.status(page)).isEqualTo(415);
    assertThat(stage.status(page.with("Content-Type", "image/png"))).isEqualTo(201);
  }

  /// Nothing is decoded, so nothing grows.
  @Test
  void row88_anEncodedFileIsRejected() throws IOException {
    Urls slot = stage.slot(ROMEO, "a", 5, null);
    TestHttpRequest packed =
        http(HttpMethod.PUT, slot.put()).with("Content-Encoding", "gzip").with(bytes("hello"));
    assertThat(stage.status(packed)).isEqualTo(415);
  }

  @Test
  void row88_aSlotIsValidForFiveMinutes() throws IOException {
    Urls slot = stage.slot(ROMEO, "a", 5, null);
    stage.context.clock().advance(Duration.ofSeconds(301));
    assertThat(stage.put(slot, "hello")).isEqualTo(403);
  }

  @Test
  void row88_whatIsNotSignedIsNoSlot() throws IOException {
    Urls slot = stage.slot(ROMEO, "a.png", 5, "image/png");
    Urls other = stage.slot(JULIET, "a.png", 6, "image/png");
    String query = slot.put().substring(slot.put().indexOf('?'));
    String otherQuery = other.put().substring(other.put().indexOf('?'));
    for (String url :
        List.of(
            slot.get(),
            slot.get() + "?slot=",
            slot.get() + "?slot=.",
            slot.get() + "?slot=*.*",
            slot.get() + otherQuery,
            other.get() + query,
            slot.put().replace("a.png", "a.html"),
            slot.get() + query.substring(0, query.indexOf('.') + 1),
            slot.get() + "?slot=A" + query.substring("?slot=".length()))) {
      TestHttpRequest put = http(HttpMethod.PUT, url).with(bytes("hello"));
      assertThat(stage.status(put)).as(url).isEqualTo(403);
    }
    assertThat(stage.put(slot, "hello")).isEqualTo(201);
  }

  /// Slots are asked for before anything is uploaded: each of them fits, all of them do not.
  @Test
  void row88_manySlotsDoNotExceedTheQuota() throws IOException {
    List<Urls> slots =
        List.of(
            stage.slot(ROMEO, "a", 100, null),
            stage.slot(ROMEO, "b", 100, null),
            stage.slot(ROMEO, "c", 100, null));
    assertThat(stage.put(slots.get(0), "x".repeat(100))).isEqualTo(201);
    assertThat(stage.put(slots.get(1), "x".repeat(100))).isEqualTo(201);
    assertThat(stage.put(slots.get(2), "x".repeat(100))).isEqualTo(413);
  }

  @Test
  void openSlotsOfAnAccountAreLimited() throws IOException {
    Instant now = stage.context.clock().instant();
    Urls used = stage.slot(ROMEO, "a", 1, null);
    for (int i = 1; i < OpenSlots.MAX; i++) {
      stage.slot(ROMEO, "a", 1, null);
    }

    assertThat(stage.ask(ROMEO, UploadStage.request("a", 1, null)).toString())
        .contains("resource-constraint")
        .contains("<retry ")
        .contains(now.plusSeconds(301).truncatedTo(ChronoUnit.SECONDS).toString());
    stage.slot(JULIET, "b", 1, null);

    assertThat(stage.put(used, "x")).isEqualTo(201);
    stage.slot(ROMEO, "a", 1, null);
    assertThat(stage.ask(ROMEO, UploadStage.request("a", 1, null)).toString())
        .contains("resource-constraint");

    stage.context.clock().advance(Duration.ofSeconds(301));
    stage.slot(ROMEO, "a", 1, null);
  }

  /// The body of one upload makes another one before it ends.
  private static final class Nested implements HttpRequest {
    private final TestHttpRequest outer;
    private final IoRunnable inner;

    Nested(TestHttpRequest outer, IoRunnable inner) {
      this.outer = outer;
      this.inner = inner;
    }

    @Override
    public HttpBody body() {
      HttpBody body = outer.body();
      return new HttpBody() {
        private boolean done;

        @Override
        public long length() {
          return body.length();
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
          if (!done) {
            done = true;
            inner.run();
          }
          return body.read(target, offset, length);
        }
      };
    }

    @Override
    public HttpMethod method() {
      return outer.method();
    }

    @Override
    public String path() {
      return outer.path();
    }

    @Override
    public Map<String, String> query() {
      return outer.query();
    }

    @Override
    public String domain() {
      return outer.domain();
    }

    @Override
    public String authority() {
      return outer.authority();
    }

    @Override
    public boolean secure() {
      return true;
    }

    @Override
    public InetAddress remoteAddress() {
      return outer.remoteAddress();
    }

    @Override
    public @Nullable String header(String name) {
      return outer.header(name);
    }

    @Override
    public List<String> headers(String name) {
      return outer.headers(name);
    }
  }

  private interface IoRunnable {
    void run() throws IOException;
  }

  private int putWhile(Urls slot, String body, IoRunnable inner) throws IOException {
    TestHttpRequest outer = http(HttpMethod.PUT, slot.put()).with(bytes(body));
    try {
      return stage.context.host().http(new Nested(outer, inner)).status();
    } catch (HttpException e) {
      return e.status();
    }
  }

  @Test
  void row88_uploadsAtTheSameTimeDoNotExceedTheQuota() throws IOException {
    stage.upload(ROMEO, 100);
    Urls one = stage.slot(ROMEO, "a", 100, null);
    Urls two = stage.slot(ROMEO, "b", 100, null);
    int status =
        putWhile(
            one, "x".repeat(100), () -> assertThat(stage.put(two, "x".repeat(100))).isEqualTo(413));
    assertThat(status).isEqualTo(201);
  }

  @Test
  void row88_aSlotIsNotUsedTwiceAtTheSameTime() throws IOException {
    Urls slot = stage.slot(ROMEO, "a", 5, null);
    int status = putWhile(slot, "first", () -> assertThat(stage.put(slot, "other")).isEqualTo(409));
    assertThat(status).isEqualTo(201);
    assertThat(UploadStage.body(stage.get(slot.get()))).isEqualTo("first");
  }

  @Test
  void row88_uploadsAtOnceAreLimitedForEachAccountFirst() throws IOException {
    Urls one = stage.slot(ROMEO, "a", 1, null);
    Urls two = stage.slot(ROMEO, "b", 1, null);
    Urls three = stage.slot(ROMEO, "c", 1, null);
    Urls other = stage.slot(JULIET, "d", 1, null);
    int status =
        putWhile(
            one,
            "x",
            () ->
                assertThat(
                        putWhile(
                            two,
                            "x",
                            () -> {
                              assertThat(stage.put(three, "x")).isEqualTo(503);
                              assertThat(stage.put(other, "x")).isEqualTo(201);
                            }))
                    .isEqualTo(201));
    assertThat(status).isEqualTo(201);
    assertThat(stage.put(three, "x")).isEqualTo(201);
  }

  @Test
  void row88_aClientThatGoesAwayLeavesNothing() throws IOException {
    Urls slot = stage.slot(ROMEO, "a", 5, null);
    assertThatThrownBy(() ->
            putWhile(
                slot,
                "hello",
                () -> {
                  throw new IOException("gone");
                }))
        .isInstanceOf(IOException.class);
    assertThat(stage.context.stores().files().hashes()).isEmpty();
    assertThat(stage.context.stores().files().open()).isZero();
    assertThat(stage.put(slot, "hello")).isEqualTo(201);
  }

  @Test
  void row88_anAccountThatWasRemovedUploadsNothing() throws IOException {
    Urls slot = stage.slot(ROMEO, "a", 5, null);
    stage.context.stores().accounts().remove(Jid.of("romeo@example.org"));
    assertThat(stage.put(slot, "hello")).isEqualTo(403);
    assertThat(stage.getStatus(slot.get())).isEqualTo(404);
  }
}
