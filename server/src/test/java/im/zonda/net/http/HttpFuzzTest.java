package im.zonda.net.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import im.zonda.config.Http;
import im.zonda.config.copy.RecordCopy;
import im.zonda.config.limits.HttpLimits;
import im.zonda.http.HttpException;
import im.zonda.http.HttpHosts;
import im.zonda.http.HttpRoute;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.net.InetAddress;
import java.net.URLEncoder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// Any bytes from a client of HTTP/1.1: the requests are the same however the bytes are cut, none
/// can be read in two ways, and a path leads to one place. Runs the committed seeds; `./zonda test
/// --fuzz` searches for more.
class HttpFuzzTest {
  /// So small that short inputs reach it.
  private static final int HEADER_BYTES = 1_024;

  private static final HttpLimits LIMITS =
      RecordCopy.with(HttpLimits.DEFAULTS, "headerBytes", HEADER_BYTES);

  private static final HostChoice HOSTS =
      new HostChoice(
          new Http(List.of(), List.of(), "https://web.{host}", List.of(), true, List.of()),
          new HttpHosts() {
            @Override
            public List<String> domains() {
              return List.of("example.org", "b.example");
            }

            @Override
            public List<HttpRoute> routes(String domain) {
              return List.of();
            }

            @Override
            public List<String> origins(String domain) {
              return List.of();
            }
          });

  @FuzzTest(maxDuration = "2m")
  void anyRequests(byte[] data) {
    List<String> whole = read(data, data.length);
    for (int size : new int[] {1, 7}) {
      assertThat(read(data, size)).isEqualTo(whole);
    }
  }

  /// The requests in the bytes, of which the decoder gets `size` at a time.
  private static List<String> read(byte[] data, int size) {
    EmbeddedChannel channel = new EmbeddedChannel(new RequestDecoder(LIMITS));
    Requests requests = new Requests();
    try {
      for (int from = 0; from < data.length; from += size) {
        int length = Math.min(size, data.length - from);
        channel.writeInbound(Unpooled.copiedBuffer(data, from, length));
      }
      for (Object message = channel.readInbound();
          message != null;
          message = channel.readInbound()) {
        try {
          requests.add(message);
        } finally {
          ReferenceCountUtil.release(message);
        }
      }
    } finally {
      channel.finishAndReleaseAll();
    }
    return requests.events();
  }

  /// Collects what a decoder passes on.
  private static final class Requests {
    private final List<String> events = new ArrayList<>();
    private final StringBuilder body = new StringBuilder();

    void add(Object message) {
      if (message instanceof HttpRequest head) {
        events.add(describe(head));
      }
      if (message instanceof HttpContent content) {
        if (content.decoderResult().isFailure()) {
          events.add("broken body " + body);
          body.setLength(0);
          return;
        }
        body.append(content.content().toString(ISO_8859_1));
        if (content instanceof LastHttpContent last) {
          events.add("body " + body + last.trailingHeaders().entries());
          body.setLength(0);
        }
      }
    }

    private static String describe(HttpRequest head) {
      if (head.decoderResult().isFailure()) {
        return "no request";
      }
      int length = head.method().name().length() + head.uri().length();
      assertThat(length).isLessThanOrEqualTo(HEADER_BYTES);
      assertThat(head.headers().getAll(HttpHeaderNames.CONTENT_LENGTH)).hasSizeLessThan(2);
      if (head.headers().contains(HttpHeaderNames.TRANSFER_ENCODING)) {
        assertThat(head.headers().contains(HttpHeaderNames.CONTENT_LENGTH)).isFalse();
      }
      return head.method() + " " + head.uri() + head.headers().entries() + " for " + target(head);
    }

    /// Who answers the request; it is rejected with a status at most.
    private static String target(HttpRequest head) {
      RequestBody body =
          new RequestBody(ReceivedRequest.announcedLength(head), Duration.ZERO, () -> {});
      try {
        ReceivedRequest request =
            ReceivedRequest.of(
                head, HOSTS, false, InetAddress.getLoopbackAddress(), body, () -> {});
        assertThat(request.domain()).isIn("example.org", "b.example");
        return request.domain() + request.path();
      } catch (HttpException e) {
        assertThat(e.status()).isBetween(400, 599);
        return "status " + e.status();
      }
    }

    List<String> events() {
      events.add("unfinished " + body);
      return events;
    }
  }

  /// A path leads to one place: it has no segment that another program could leave out or take for
  /// the folder above, and it is the same when it is written and read again.
  @FuzzTest(maxDuration = "2m")
  void anyTarget(byte[] data) {
    RequestTarget target;
    try {
      target = RequestTarget.parse(new String(data, ISO_8859_1));
    } catch (HttpException e) {
      assertThat(e.status()).isEqualTo(400);
      return;
    }
    if (target.path().equals("*")) {
      return;
    }
    assertThat(target.path()).startsWith("/").doesNotContain("\\", "//");
    for (String segment : target.segments()) {
      assertThat(segment.split("[/\\\\]", -1)).doesNotContain(".", "..");
      assertThat(segment.chars()).noneMatch(Character::isISOControl);
    }
    RequestTarget again = RequestTarget.parse(written(target));
    assertThat(again.segments()).isEqualTo(target.segments());
    assertThat(again.path()).isEqualTo(target.path());
    assertThat(again.query()).isEqualTo(target.query());
  }

  private static String written(RequestTarget target) {
    String path =
        target.segments().stream()
            .map(HttpFuzzTest::escaped)
            .collect(Collectors.joining("/", "/", ""));
    Map<String, String> query = target.query();
    return query.isEmpty()
        ? path
        : query.entrySet().stream()
            .map(each -> escaped(each.getKey()) + "=" + escaped(each.getValue()))
            .collect(Collectors.joining("&", path + "?", ""));
  }

  private static String escaped(String text) {
    return URLEncoder.encode(text, UTF_8).replace("+", "%20");
  }
}
