package im.zonda.cluster.node;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.cluster.Member;
import im.zonda.cluster.frame.NodeValue;
import im.zonda.cluster.frame.RoutedStanza;
import im.zonda.cluster.frame.StanzaBytes;
import im.zonda.cluster.message.NodeMessage;
import im.zonda.cluster.placement.Placement;
import im.zonda.jid.Jid;
import im.zonda.link.SessionEnd;
import im.zonda.link.StreamEnd;
import im.zonda.link.ToSession;
import im.zonda.link.ToStream;
import im.zonda.module.Envelope;
import im.zonda.module.Origin;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaError;
import im.zonda.stanza.StreamErrorCondition;
import im.zonda.xml.Element;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What is larger than a value between nodes may be is never numbered, so it holds up nothing: its
/// sender gets an error, or its receiver something in its place. What cannot be read costs itself.
class LargeValuesTest {
  private static final Jid ROMEO = HeldOrigin.ROMEO;
  private static final Jid JULIET = Jid.of("juliet@example.org/balcony");
  private static final String LARGE = "x".repeat(TestNodes.MAX_BYTES);

  private final List<Stanza> arrived = new ArrayList<>();
  private final List<StanzaError> errors = new ArrayList<>();
  private final List<ToSession> toSession = new ArrayList<>();
  private final List<ToStream> toStream = new ArrayList<>();
  private @Nullable StreamEnd atSession;
  private final TestNodes nodes = new TestNodes(List.of(new Homes(), new Homes()));

  private final class Homes extends NoHomes {
    @Override
    public void accept(Envelope envelope) {
      arrived.add(envelope.stanza());
    }

    @Override
    public void reject(Envelope envelope, StanzaError error) {
      errors.add(error);
    }

    @Override
    public SessionEnd open(StreamEnd stream) {
      atSession = stream;
      return toSession::add;
    }
  }

  /// All homes are at the second node.
  @BeforeEach
  void start() {
    install(nodes);
  }

  private static void install(TestNodes nodes) {
    Placement placement = nodes.placement(1, 0);
    nodes.all().forEach(node -> node.installed(placement));
    nodes.run();
  }

  private void forward(Stanza stanza) {
    nodes.get(0).forward(JULIET.bare(), new Envelope(stanza, Origin.NONE, null));
    nodes.run();
  }

  private static Stanza message(String id, String body) {
    Element content = Element.builder("jabber:client", "body").text(body).build();
    return Message.of(Message.Type.CHAT, ROMEO, JULIET, id, List.of(content));
  }

  private SessionEnd opened() {
    SessionEnd session = nodes.get(0).ports().gate().apply(_ -> toSession::add).open(toStream::add);
    session.receive(new ToSession.Bind(JULIET.bare(), "balcony", null));
    nodes.run();
    fromSession(
        new ToStream.Bound(JULIET, List.of(), new ToStream.Enabled("id", Duration.ofMinutes(5))));
    toStream.clear();
    return session;
  }

  private void fromSession(ToStream value) {
    Objects.requireNonNull(atSession).receive(value);
    nodes.run();
  }

  @Test
  void theSenderOfAStanzaThatIsTooLargeGetsAnErrorAndOthersGoOn() {
    forward(message("1", LARGE));
    forward(message("2", "small"));
    assertThat(errors).hasSize(1);
    assertThat(errors.getFirst().condition()).isEqualTo(ErrorCondition.NOT_ACCEPTABLE);
    assertThat(arrived).hasSize(1);
    assertThat(arrived.getFirst().id()).isEqualTo("2");
  }

  @Test
  void anAnswerThatIsTooLargeBecomesAnError() {
    Element content = Element.builder("urn:example", "answer").text(LARGE).build();
    forward(Iq.of(Iq.Type.RESULT, ROMEO, JULIET, "1", content));
    assertThat(errors).isEmpty();
    Iq answer = (Iq) arrived.getFirst();
    assertThat(answer.type()).isEqualTo(Iq.Type.ERROR);
    assertThat(answer.id()).isEqualTo("1");
  }

  @Test
  void aClientIsSentSomethingInPlaceOfAStanzaThatIsTooLarge() {
    opened();
    fromSession(new ToStream.Deliver(message("1", LARGE), 1, false));
    fromSession(new ToStream.Deliver(message("2", "small"), 2, false));
    assertThat(toStream).hasSize(2);
    ToStream.Deliver first = (ToStream.Deliver) toStream.getFirst();
    assertThat(first.number()).isEqualTo(1);
    assertThat(((Message) first.stanza()).type()).isEqualTo(Message.Type.HEADLINE);
    assertThat(((ToStream.Deliver) toStream.get(1)).stanza().id()).isEqualTo("2");
  }

  @Test
  void aStreamThatBringsAStanzaThatIsTooLargeEnds() {
    SessionEnd session = opened();
    session.receive(new ToSession.Received(message("1", LARGE), 1));
    nodes.run();
    assertThat(((ToStream.Close) toStream.getLast()).condition())
        .isEqualTo(StreamErrorCondition.POLICY_VIOLATION);
    forward(message("2", "small"));
    assertThat(arrived).hasSize(1);
  }

  /// A state that is too large is not sent, and the stream goes on.
  @Test
  void aStreamKeepsTheFormerStateOfItsSession() {
    opened();
    fromSession(new ToStream.State(LARGE));
    fromSession(new ToStream.Handled(0));
    assertThat(toStream).containsExactly(new ToStream.Handled(0));
  }

  /// The last byte of what is written becomes one that ends no element.
  private static NodeValue damaged(NodeValue value) {
    return switch (value) {
      case NodeValue.FromSession(long link, long number, StanzaBytes bytes) ->
          new NodeValue.FromSession(link, number, damaged(bytes));
      case NodeValue.FromStream(String owner, long link, long number, StanzaBytes bytes) ->
          new NodeValue.FromStream(owner, link, number, damaged(bytes));
      case NodeValue.Route(
              long entry,
              String owner,
              RoutedStanza stanza,
              long identity,
              long age,
              long trace) ->
          new NodeValue.Route(
              entry,
              owner,
              new RoutedStanza(stanza.origin(), stanza.stored(), damaged(stanza.bytes())),
              identity,
              age,
              trace);
      default -> value;
    };
  }

  private static StanzaBytes damaged(StanzaBytes bytes) {
    byte[] other = bytes.array().clone();
    other[other.length - 1] = '<';
    return new StanzaBytes(other);
  }

  @Test
  void aStanzaForAClientThatCannotBeReadIsReplaced() {
    opened();
    nodes.change(LargeValuesTest::damaged);
    fromSession(new ToStream.Deliver(message("1", "damaged"), 1, false));
    nodes.change(value -> value);
    fromSession(new ToStream.Deliver(message("2", "small"), 2, false));
    assertThat(toStream).hasSize(2);
    assertThat(((ToStream.Deliver) toStream.getFirst()).number()).isEqualTo(1);
    assertThat(((ToStream.Deliver) toStream.getFirst()).stanza().id()).isNull();
    assertThat(((ToStream.Deliver) toStream.get(1)).stanza().id()).isEqualTo("2");
  }

  /// Its stanzas are counted, and the session waits for another stream.
  @Test
  void aStreamWhoseStanzaCannotBeReadEnds() {
    SessionEnd session = opened();
    nodes.change(LargeValuesTest::damaged);
    session.receive(new ToSession.Received(message("1", "damaged"), 1));
    nodes.change(value -> value);
    nodes.run();
    assertThat(toStream)
        .containsExactly(new ToStream.Close(StreamErrorCondition.INTERNAL_SERVER_ERROR, null));
    assertThat(toSession.getLast()).isEqualTo(new ToSession.Lost());
  }

  @Test
  void aStanzaForAHomeThatCannotBeReadIsReleasedAndOthersGoOn() {
    HeldOrigin origin = new HeldOrigin();
    nodes.change(LargeValuesTest::damaged);
    nodes.get(0).forward(JULIET.bare(), new Envelope(message("1", "damaged"), origin, null));
    nodes.run();
    nodes.change(value -> value);
    forward(message("2", "small"));
    assertThat(arrived).hasSize(1);
    assertThat(origin.holds).isZero();
  }

  /// A kind of an earlier or a later version.
  @ParameterizedTest
  @ValueSource(ints = {3, 12, 18, 22, 200})
  void aValueOfAnUnknownKindHoldsUpNothing(int tag) {
    nodes.tag(tag);
    forward(message("1", "unknown"));
    assertThat(arrived).isEmpty();
    nodes.tag(0);
    forward(message("2", "small"));
    assertThat(arrived).hasSize(1);
    assertThat(arrived.getFirst().id()).isEqualTo("2");
  }

  @Test
  void aPostThatIsTooLargeHoldsUpNothing() {
    List<NodeMessage> posts = new ArrayList<>();
    TestNodes two =
        new TestNodes(
            List.of(
                new NoHomes() {},
                new NoHomes() {
                  @Override
                  public void receive(Member from, NodeMessage value) {
                    posts.add(value);
                  }
                }));
    install(two);
    StanzaBytes large = new StanzaBytes(LARGE.getBytes(StandardCharsets.US_ASCII));
    NodeMessage small = new NodeMessage.ModuleNotice("example.org", "roster");
    two.get(0).postToOthers(new NodeMessage.Answered(large));
    two.get(0).postToOthers(new NodeMessage.ComponentStanza(5, 6, large));
    two.get(0).postToOthers(new NodeMessage.BoshAnswered(7, 200, "text/xml", large));
    two.get(0).postToOthers(small);
    two.run();
    assertThat(posts).hasSize(3);
    NodeMessage.ComponentStanza component = (NodeMessage.ComponentStanza) posts.getFirst();
    assertThat(component.number()).isEqualTo(6);
    assertThat(component.stanza().text()).contains("headline");
    assertThat(((NodeMessage.BoshAnswered) posts.get(1)).status()).isEqualTo(500);
    assertThat(posts.getLast()).isEqualTo(small);
  }
}
