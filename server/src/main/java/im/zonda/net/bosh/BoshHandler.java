package im.zonda.net.bosh;

import im.zonda.cluster.Member;
import im.zonda.http.HttpHandler;
import im.zonda.http.HttpRequest;
import im.zonda.http.HttpResponse;
import im.zonda.http.OriginPolicy;
import im.zonda.stream.InputLimits;
import im.zonda.xml.StreamHeader;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Answers the requests of BOSH, when the session has a response.
final class BoshHandler implements HttpHandler {
  private final BoshSessions sessions;
  private final OriginPolicy origins;

  BoshHandler(BoshSessions sessions, OriginPolicy origins) {
    this.sessions = sessions;
    this.origins = origins;
  }

  @Override
  public HttpResponse handle(HttpRequest request) throws IOException {
    Predicate<String> mayOpen = checkOrigin(request);
    boolean secure = request.secure();
    RecordedBody recorded = new RecordedBody(request.body());
    BodyReader reader =
        new BodyReader(sessions.streams().profile().limits(), tag -> limits(tag, secure, recorded));
    CompletableFuture<BoshResponse> reply = new CompletableFuture<>();
    try {
      BoshRequest body = reader.read(recorded);
      BoshStream session = sessions.find(body.body(), secure);
      Member node = session == null ? sessions.nodeOf(body.body()) : null;
      if (session != null) {
        session.receive(body, reader.size(), reply);
      } else if (node != null) {
        reply = sessions.forwarded().forward(node, recorded.bytes(), secure);
      } else if (body.attribute("sid") == null) {
        String to = body.attribute("to");
        if (to != null && !mayOpen.test(to)) {
          throw new BoshException(BoshCondition.POLICY_VIOLATION);
        }
        var client = new BoshStream.ClientAddress(request.remoteAddress(), secure);
        sessions.create(body, reader.size(), client, reply);
      } else {
        throw new BoshException(BoshCondition.ITEM_NOT_FOUND);
      }
    } catch (BoshException e) {
      endElsewhere(reader.header(), secure);
      return response(sessions.reject(reader.header(), secure, e.condition()));
    }
    request.waitsForEvents();
    CompletableFuture<BoshResponse> known = reply;
    return HttpResponse.later(answer -> {
      var _ = known.thenAccept(each -> answer.accept(response(each)));
    });
  }

  /// The limits for the rest of a request; null if there is no session. Another node checks again,
  /// by what it knows of the session.
  private @Nullable InputLimits limits(StreamHeader tag, boolean secure, RecordedBody recorded) {
    InputLimits known = sessions.limits(tag, secure);
    if (known == null && sessions.nodeOf(tag) != null) {
      return InputLimits.ofElements(sessions.streams().limits().client());
    }
    recorded.forget();
    return known;
  }

  /// A request that cannot be used ends its session, also that of another node.
  private void endElsewhere(@Nullable StreamHeader tag, boolean secure) {
    String sid = tag == null ? null : tag.attribute("sid");
    Member node = tag == null ? null : sessions.nodeOf(tag);
    if (node != null && sid != null) {
      sessions.forwarded().end(node, sid, secure);
    }
  }

  private static HttpResponse response(BoshResponse response) {
    return HttpResponse.bytes(response.status(), response.type(), response.body());
  }

  /// As for WebSockets: a browser sends a simple request of any page.
  private Predicate<String> checkOrigin(HttpRequest request) {
    String own = (request.secure() ? "https://" : "http://") + request.authority();
    return origins.check(request.domain(), own, request.header("Origin"));
  }
}
