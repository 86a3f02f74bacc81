package im.zonda.net.bosh;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.limits.BoshLimits;
import im.zonda.xml.Element;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// The session as a state machine: requests in any order, responses in the order of the requests.
@SuppressWarnings("FutureReturnValueIgnored") // many requests are there for what they change
class BoshSessionTest {
  private static final String TERMINATE = "type='terminate'";
  private static final String MESSAGE = "<message xmlns='jabber:client'/>";

  private final List<String> events = new ArrayList<>();
  private boolean ready = true;
  private long now = 1_000_000;
  private @Nullable BoshSession session;

  private final BoshSession.Upstream upstream =
      new BoshSession.Upstream() {
        @Override
        public void process(BoshRequest request) {
          events.add("rid " + request.rid());
          if (request.isTerminate()) {
            session().end(null);
          }
        }

        @Override
        public boolean isReady() {
          return ready;
        }

        @Override
        public void received(long number) {
          events.add("received " + number);
        }

        @Override
        public void lost() {
          events.add("lost");
        }

        @Override
        public void describe(BodyWriter body) {
          body.attribute("from", "example.org");
        }
      };

  private BoshSession session() {
    if (session == null) {
      throw new IllegalStateException("not created");
    }
    return session;
  }

  /// Creates the session with request 100.
  private String create(String attributes) throws Exception {
    BoshRequest first = TestBodies.request("rid='100' to='example.org' " + attributes, "");
    session =
        new BoshSession(BoshTerms.of(first, BoshLimits.DEFAULTS), "SomeSID", first, upstream, now);
    CompletableFuture<BoshResponse> reply = new CompletableFuture<>();
    session.receive(first, reply, now);
    session.proceed(now);
    say("features", 0);
    turn();
    return text(reply);
  }

  private void usual() throws Exception {
    create("ver='1.6' wait='60' hold='1'");
    events.clear();
    now += 10_000;
  }

  private CompletableFuture<BoshResponse> post(long rid, String attributes, String payloads)
      throws Exception {
    CompletableFuture<BoshResponse> reply = new CompletableFuture<>();
    session()
        .receive(
            TestBodies.request("rid='" + rid + "' sid='SomeSID' " + attributes, payloads),
            reply,
            now);
    turn();
    return reply;
  }

  private CompletableFuture<BoshResponse> poll(long rid) throws Exception {
    return post(rid, "", "");
  }

  private void say(String word, long number) {
    Payload payload = Payload.of(Element.of("urn:x", word));
    session().send(new Payload(payload.xml(), false, number, 0));
  }

  private void turn() {
    session().proceed(now);
    session().answer(now);
  }

  private static String text(CompletableFuture<BoshResponse> reply) {
    assertThat(reply).isCompleted();
    BoshResponse response = reply.join();
    return response.status() == 200
        ? new String(response.body(), StandardCharsets.UTF_8)
        : "HTTP " + response.status();
  }

  private static String body(String rest) {
    return "<body xmlns='http://jabber.org/protocol/httpbind'" + rest;
  }

  private static String end(String condition) {
    return body(" type='terminate' condition='" + condition + "'/>");
  }

  private static final String EMPTY = "<body xmlns='http://jabber.org/protocol/httpbind'/>";

  /// At an edge the header of the stream comes from the core, a moment later.
  @Test
  void theFirstResponseWaitsForTheHeaderOfTheStream() throws Exception {
    BoshRequest first = TestBodies.request("rid='100' to='example.org' wait='60' hold='0'", "");
    session =
        new BoshSession(BoshTerms.of(first, BoshLimits.DEFAULTS), "SomeSID", first, upstream, now);
    CompletableFuture<BoshResponse> reply = new CompletableFuture<>();
    session.receive(first, reply, now);
    session.proceed(now);
    ready = false;
    session.answer(now);
    assertThat(reply).isNotCompleted();
    say("features", 0);
    session.answer(now);
    assertThat(text(reply)).contains("from='example.org'", "features");
  }

  @Test
  void theFirstResponseHasTheTerms() throws Exception {
    assertThat(create("ver='1.6' wait='60' hold='1' ack='1'"))
        .isEqualTo(
            body(
                " sid='SomeSID' wait='60' requests='2' hold='1' polling='2' inactivity='45'"
                    + " maxpause='120' ver='1.6' ack='100' from='example.org'>"
                    + "<features xmlns='urn:x'/></body>"));
  }

  @Test
  void aRequestWaitsForOutput() throws Exception {
    usual();
    CompletableFuture<BoshResponse> reply = poll(101);
    assertThat(reply).isNotCompleted();
    say("a", 0);
    say("b", 0);
    turn();
    assertThat(text(reply)).isEqualTo(body("><a xmlns='urn:x'/><b xmlns='urn:x'/></body>"));
  }

  @Test
  void aRequestWaitsNoLongerThanAgreed() throws Exception {
    usual();
    CompletableFuture<BoshResponse> reply = poll(101);
    now += 59_000;
    session().tick(now);
    assertThat(reply).isNotCompleted();
    now += 600;
    session().tick(now);
    assertThat(text(reply)).isEqualTo(EMPTY);
  }

  @Test
  void aSecondRequestFreesTheFirst() throws Exception {
    usual();
    CompletableFuture<BoshResponse> first = poll(101);
    CompletableFuture<BoshResponse> second = post(102, "", MESSAGE);
    assertThat(text(first)).isEqualTo(EMPTY);
    assertThat(second).isNotCompleted();
    assertThat(events).containsExactly("rid 101", "rid 102");
  }

  /// XEP-0124, section 14.2.
  @Test
  void requestsAreHandledInTheirOrder() throws Exception {
    usual();
    CompletableFuture<BoshResponse> second = post(102, "", MESSAGE);
    assertThat(events).isEmpty();
    CompletableFuture<BoshResponse> first = post(101, "", MESSAGE);
    assertThat(events).containsExactly("rid 101", "rid 102");
    assertThat(text(first)).isEqualTo(EMPTY);
    assertThat(second).isNotCompleted();
  }

  /// Section 14.3.
  @Test
  void aLostResponseIsSentAgain() throws Exception {
    usual();
    CompletableFuture<BoshResponse> first = poll(101);
    say("a", 0);
    turn();
    CompletableFuture<BoshResponse> again = poll(101);
    assertThat(text(again)).isEqualTo(text(first)).contains("<a ");
    assertThat(events).containsExactly("rid 101");
  }

  @Test
  void theResponseGoesToTheLastRepetition() throws Exception {
    usual();
    CompletableFuture<BoshResponse> first = poll(101);
    CompletableFuture<BoshResponse> again = poll(101);
    assertThat(text(first)).isEqualTo(body(" type='error'/>"));
    assertThat(again).isNotCompleted();
    say("a", 0);
    turn();
    assertThat(text(again)).contains("<a ");
    assertThat(events).containsExactly("rid 101");
  }

  @Test
  void aResponseThatIsNotKeptEndsTheSession() throws Exception {
    usual();
    poll(101);
    post(102, "", MESSAGE);
    post(103, "", MESSAGE);
    CompletableFuture<BoshResponse> open = post(104, "", MESSAGE);
    assertThat(text(poll(101))).isEqualTo(end("item-not-found"));
    assertThat(text(open)).isEqualTo(end("other-request"));
    assertThat(events).endsWith("lost");
    assertThat(text(poll(105))).isEqualTo(end("item-not-found"));
  }

  @Test
  void row50_aRequestBeyondTheWindowEndsTheSession() throws Exception {
    usual();
    assertThat(poll(102)).isNotCompleted();
    assertThat(text(post(103, "", MESSAGE))).isEqualTo(end("item-not-found"));
    assertThat(events).containsExactly("lost");
    usual();
    assertThat(text(poll(BoshRequest.MAX_RID))).isEqualTo(end("item-not-found"));
  }

  @Test
  void row50_tooManyRequestsEndTheSession() throws Exception {
    usual();
    CompletableFuture<BoshResponse> first = post(101, "", MESSAGE);
    ready = false;
    post(102, "", MESSAGE);
    assertThat(first).isNotCompleted();
    assertThat(text(post(103, "", MESSAGE))).isEqualTo(end("policy-violation"));
    assertThat(text(first)).isEqualTo(end("other-request"));
  }

  /// Section 11.
  @Test
  void aPollTooSoonAfterAnotherEndsTheSession() throws Exception {
    usual();
    poll(101);
    now += 1_900;
    assertThat(text(poll(102))).isEqualTo(end("policy-violation"));
    usual();
    poll(101);
    now += 2_000;
    assertThat(poll(102)).isNotCompleted();
  }

  /// Only the last request counts, whatever comes first.
  @Test
  void aPollBeforeARequestWithPayloadsIsNoneTooSoon() throws Exception {
    usual();
    post(102, "", MESSAGE);
    poll(101);
    assertThat(events).containsExactly("rid 101", "rid 102");
  }

  /// Section 12.
  @Test
  void aClientThatPollsTooOftenLosesItsSession() throws Exception {
    create("ver='1.6' hold='0'");
    now += 10_000;
    assertThat(text(poll(101))).isEqualTo(EMPTY);
    now += 2_000;
    assertThat(text(poll(102))).isEqualTo(EMPTY);
    now += 1_000;
    say("a", 0);
    assertThat(text(post(103, "", MESSAGE))).contains("<a ");
    now += 1_000;
    assertThat(text(poll(104))).isEqualTo(EMPTY); // after a response with payloads
    now += 1_000;
    assertThat(text(poll(105))).isEqualTo(end("policy-violation"));
  }

  @Test
  void row50_repetitionsAreLimited() throws Exception {
    usual();
    poll(101);
    for (int i = 0; i < 16; i++) {
      assertThat(poll(101)).isNotCompleted();
    }
    assertThat(text(poll(101))).isEqualTo(end("policy-violation"));
    assertThat(events).containsExactly("rid 101", "lost");
  }

  @Test
  void anInactiveClientLosesItsSession() throws Exception {
    usual();
    CompletableFuture<BoshResponse> open = poll(101);
    say("a", 7);
    turn();
    assertThat(open).isCompleted();
    now += 45_000;
    assertThat(session().tick(now)).isTrue();
    now += 1;
    assertThat(session().tick(now)).isFalse();
    assertThat(events).containsExactly("rid 101", "lost"); // 7 may not have come
    assertThat(text(poll(102))).isEqualTo(end("item-not-found"));
  }

  /// Section 10.
  @Test
  void aPauseLengthensTheTimeOnce() throws Exception {
    usual();
    CompletableFuture<BoshResponse> open = poll(101);
    CompletableFuture<BoshResponse> pause = post(102, "pause='120'", "");
    assertThat(text(open)).isEqualTo(EMPTY);
    assertThat(text(pause)).isEqualTo(EMPTY);
    say("a", 0);
    turn();
    now += 119_000;
    assertThat(session().tick(now)).isTrue();
    CompletableFuture<BoshResponse> next = poll(103);
    assertThat(text(next)).contains("<a ");
    now += 46_000;
    assertThat(session().tick(now)).isFalse();
  }

  @Test
  void aPauseMayBeOneRequestMore() throws Exception {
    usual();
    poll(101);
    CompletableFuture<BoshResponse> pause = post(103, "pause='60'", "");
    assertThat(pause).isNotCompleted(); // 102 is missing
    post(102, "", MESSAGE);
    assertThat(text(pause)).isEqualTo(EMPTY);
  }

  @Test
  void row50_aPauseThatIsTooLongEndsTheSession() throws Exception {
    for (String pause : List.of("121", "-1", "x", "9007199254740991")) {
      usual();
      assertThat(text(post(101, "pause='" + pause + "'", ""))).isEqualTo(end("policy-violation"));
    }
  }

  /// Section 13: the oldest request gets the end, the others are empty.
  @Test
  void theClientEndsTheSession() throws Exception {
    usual();
    CompletableFuture<BoshResponse> open = poll(101);
    CompletableFuture<BoshResponse> last = post(102, TERMINATE, "");
    assertThat(text(open)).isEqualTo(body(" type='terminate'/>"));
    assertThat(text(last)).isEqualTo(EMPTY);
    assertThat(text(poll(103))).isEqualTo(end("item-not-found"));
    assertThat(text(post(102, TERMINATE, ""))).isEqualTo(EMPTY); // it may ask again
  }

  @Test
  void theEndWaitsForARequest() throws Exception {
    usual();
    say("error", 0);
    session().end(BoshCondition.REMOTE_STREAM_ERROR);
    turn();
    assertThat(text(poll(101)))
        .isEqualTo(
            body(
                " type='terminate' condition='remote-stream-error'>"
                    + "<error xmlns='urn:x'/></body>"));
    assertThat(events).isEmpty();
  }

  /// A message may be forgotten when the client is still there after the response with it.
  @Test
  void whatTheClientHasIsReported() throws Exception {
    usual();
    poll(101);
    say("a", 3);
    turn();
    assertThat(events).containsExactly("rid 101");
    poll(101); // it has not got it
    assertThat(events).containsExactly("rid 101");
    poll(102);
    assertThat(events).containsExactly("rid 101", "received 3", "rid 102");
  }

  /// Section 9.2.
  @Test
  void acknowledgementsSayWhatTheClientHas() throws Exception {
    create("ver='1.6' wait='60' hold='2' ack='1'");
    events.clear();
    now += 10_000;
    poll(101);
    say("a", 3);
    turn();
    CompletableFuture<BoshResponse> next = post(102, "ack='100'", MESSAGE);
    assertThat(events).containsExactly("rid 101", "rid 102");
    assertThat(next).isNotCompleted();
    now += 1_500;
    CompletableFuture<BoshResponse> late = post(103, "ack='100'", MESSAGE);
    assertThat(text(next)).isEqualTo(body(" ack='103' report='101' time='1500'/>"));
    assertThat(late).isNotCompleted();
    post(104, "ack='102'", MESSAGE);
    assertThat(events).contains("received 3");
  }

  /// Section 15.
  @Test
  void keysProveThatRequestsAreTheClients() throws Exception {
    String k1 = sha1("seed");
    String k2 = sha1(k1);
    String k3 = sha1(k2);
    String other = sha1(sha1("another"));
    create("ver='1.6' wait='60' hold='1' newkey='" + k3.toUpperCase(java.util.Locale.ROOT) + "'");
    now += 10_000;
    post(101, "key='" + k2 + "'", MESSAGE);
    post(102, "key='" + k1 + "' newkey='" + other + "'", MESSAGE);
    post(103, "key='" + sha1("another") + "'", MESSAGE);
    assertThat(events).endsWith("rid 101", "rid 102", "rid 103");
    assertThat(text(post(104, "", MESSAGE))).isEqualTo(end("item-not-found"));
    assertThat(events).endsWith("lost");
  }

  @Test
  void row50_aKeyThatIsNotTheNextEndsTheSession() throws Exception {
    create("ver='1.6' wait='60' hold='1' newkey='" + sha1(sha1("seed")) + "'");
    now += 10_000;
    assertThat(text(post(101, "key='" + sha1("guess") + "'", MESSAGE)))
        .isEqualTo(end("item-not-found"));
    assertThat(events).doesNotContain("rid 101").endsWith("lost");
  }

  @Test
  void row50_aRepetitionWithAnotherKeyEndsTheSession() throws Exception {
    String k1 = sha1("seed");
    create("ver='1.6' wait='60' hold='1' newkey='" + sha1(k1) + "'");
    now += 10_000;
    CompletableFuture<BoshResponse> open = post(101, "key='" + k1 + "'", "");
    assertThat(text(post(101, "key='" + sha1("x") + "'", ""))).isEqualTo(end("item-not-found"));
    assertThat(text(open)).isEqualTo(end("other-request"));
  }

  private static String sha1(String text) throws Exception {
    return HexFormat.of()
        .formatHex(
            MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8)));
  }

  /// Section 17.1.
  @Test
  void aLegacyClientGetsErrorsOfHttp() throws Exception {
    create("wait='60' hold='1'");
    now += 10_000;
    assertThat(text(poll(110))).isEqualTo("HTTP 404");
    create("wait='60' hold='1'");
    poll(101);
    now += 1_000;
    assertThat(text(poll(102))).isEqualTo("HTTP 403");
  }

  @Test
  void muchOutputGoesInSeveralResponses() throws Exception {
    usual();
    String large = "x".repeat(150_000);
    for (int i = 0; i < 3; i++) {
      session().send(Payload.of(Element.builder("urn:x", "m").text(large).build()));
    }
    assertThat(text(poll(101)).length()).isBetween(150_000, 160_000);
    assertThat(text(poll(102)).length()).isBetween(150_000, 160_000);
    assertThat(session().bytes()).isLessThan(3 * 160_000);
  }

  /// A request before which one is missing waits with all that is in it.
  @Test
  void requestsThatComeTooEarlyAreCounted() throws Exception {
    usual();
    long before = session().bytes();
    String large = MESSAGE.replace("/>", ">" + "x".repeat(5_000) + "</message>");
    CompletableFuture<BoshResponse> _ = post(102, "", large);
    assertThat(session().bytes()).isBetween(before + 5_000, before + 5_100);
    CompletableFuture<BoshResponse> _ = post(101, "", "");
    assertThat(events).contains("rid 101", "rid 102");
    assertThat(session().bytes()).isLessThan(before + 1_000);
  }
}
