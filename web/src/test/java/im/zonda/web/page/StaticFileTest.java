package im.zonda.web.page;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.http.HttpContent;
import im.zonda.http.HttpResponse;
import im.zonda.http.page.StaticFile;
import im.zonda.web.PageRequest;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StaticFileTest {
  private static final byte[] TEXT =
      "body { color: red }\n".repeat(200).getBytes(StandardCharsets.UTF_8);
  private final StaticFile file = StaticFile.of("text/css", TEXT, "no-cache");

  private HttpResponse get(Map<String, String> fields) {
    return file.handle(PageRequest.get("/").with(fields));
  }

  private static byte[] bytes(HttpResponse response) {
    return ((HttpContent.Bytes) response.content()).bytes();
  }

  private static @Nullable String field(HttpResponse response, String name) {
    return response.headers().stream()
        .filter(each -> each.name().equals(name))
        .map(HttpResponse.Header::value)
        .findFirst()
        .orElse(null);
  }

  @Test
  void whoAcceptsGzipGetsLess() throws Exception {
    HttpResponse plain = get(Map.of());
    HttpResponse smaller = get(Map.of("accept-encoding", "br, gzip"));
    assertThat(bytes(plain)).isEqualTo(TEXT);
    assertThat(field(plain, "Content-Encoding")).isNull();
    assertThat(bytes(smaller).length).isLessThan(TEXT.length / 10);
    assertThat(new GZIPInputStream(new ByteArrayInputStream(bytes(smaller))).readAllBytes())
        .isEqualTo(TEXT);
    assertThat(field(smaller, "Content-Encoding")).isEqualTo("gzip");
    for (HttpResponse each : List.of(plain, smaller)) {
      assertThat(field(each, "Vary")).isEqualTo("Accept-Encoding");
      assertThat(field(each, "Cache-Control")).isEqualTo("no-cache");
    }
    assertThat(field(plain, "ETag")).isNotEqualTo(field(smaller, "ETag"));
  }

  @Test
  void theEncodingsOfTheClientAreRespected() {
    for (String accepted :
        List.of("gzip", "GZIP;q=0.5", "deflate , gzip", "*", "br;q=1, *;q=0.1")) {
      assertThat(StaticFile.acceptsGzip(accepted)).as(accepted).isTrue();
    }
    for (String other : List.of("", "br", "gzip;q=0", "gzip; q = 0.000", "*, gzip;q=0", "xgzip")) {
      assertThat(StaticFile.acceptsGzip(other)).as(other).isFalse();
    }
    assertThat(StaticFile.acceptsGzip(null)).isFalse();
  }

  @Test
  void whatTheClientHasIsNotSentAgain() {
    String tag = field(get(Map.of("accept-encoding", "gzip")), "ETag");
    HttpResponse again = get(Map.of("accept-encoding", "gzip", "if-none-match", "\"x\", W/" + tag));
    assertThat(again.status()).isEqualTo(304);
    assertThat(bytes(again)).isEmpty();
    assertThat(field(again, "ETag")).isEqualTo(tag);
    assertThat(field(again, "Vary")).isEqualTo("Accept-Encoding");
    // The tag of the other encoding is another one.
    assertThat(get(Map.of("if-none-match", String.valueOf(tag))).status()).isEqualTo(200);
  }

  @Test
  void picturesAndSmallTextsAreSentAsTheyAre() {
    for (StaticFile each :
        List.of(
            StaticFile.of("image/png", TEXT, "no-cache"),
            StaticFile.of("text/css", new byte[100], "no-cache"))) {
      HttpResponse response =
          each.handle(PageRequest.get("/").with(Map.of("accept-encoding", "gzip")));
      assertThat(field(response, "Content-Encoding")).isNull();
      assertThat(field(response, "Vary")).isNull();
    }
  }
}
