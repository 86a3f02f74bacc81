package im.zonda.home.component;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.module.Envelope;
import im.zonda.module.InboundFlow;
import im.zonda.module.Origin;
import im.zonda.route.Routes;
import im.zonda.stanza.Message;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StreamErrorCondition;
import im.zonda.xml.Element;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// What waits for the components of one domain, without threads. A stanza of a test counts 256
/// bytes; two are on their way at most.
class ComponentHomeTest {
  private static final Jid DOMAIN = Jid.of("gateway.example.org");
  private static final int SIZE = 256;
  private static final long GIVE_UP = 1_000;

  /// The session of a user who sends.
  private static final class Sender implements Origin, InboundFlow {
    final Jid jid;
    int held;
    int paused;

    Sender(String name) {
      jid = Jid.of(name + "@example.org/r");
    }

    @Override
    public Jid session() {
      return jid;
    }

    @Override
    public long number() {
      return 1;
    }

    @Override
    public InboundFlow flow() {
      return this;
    }

    @Override
    public boolean acknowledges() {
      return true;
    }

    @Override
    public void hold() {
      held++;
    }

    @Override
    public void release() {
      held--;
      assertThat(held).isNotNegative();
    }

    @Override
    public void pauseReading() {
      paused++;
    }

    @Override
    public void resumeReading() {
      paused--;
    }
  }

  private final Routes routes = new Routes();

  /// The errors that came back: addressee, id and condition.
  private final List<String> errors = new ArrayList<>();

  private final ComponentHome home = home(40 * SIZE);
  private long now = 10_000;
  private final Sender romeo = new Sender("romeo");
  private final Sender juliet = new Sender("juliet");

  private void open(RecordingComponent link) {
    home.open(link);
    home.sendWaiting(now);
  }

  ComponentHomeTest() {
    routes.add(
        Jid.of("example.org"),
        envelope ->
            errors.add(
                envelope.stanza().to()
                    + " "
                    + envelope.stanza().id()
                    + " "
                    + condition(envelope.stanza())));
  }

  private ComponentHome home(int queueBytes) {
    return new ComponentHome(
        DOMAIN, new ComponentBounds(GIVE_UP, queueBytes, 2 * SIZE, 2), routes.errors(), 10_000);
  }

  private void close(RecordingComponent link) {
    home.end(link, now);
    home.endOutput(link, now);
  }

  private static String condition(Stanza error) {
    return error.payloads().getLast().children().getFirst().name().name();
  }

  private void send(Sender sender, String id) {
    Message message = Message.of(Message.Type.CHAT, sender.jid, DOMAIN, id, List.of());
    home.accept(new Envelope(message, sender, null), now);
  }

  @Test
  void aMessageIsHandledWhenItsBytesHaveLeft() {
    RecordingComponent link = new RecordingComponent(DOMAIN);
    open(link);
    send(romeo, "1");
    assertThat(link.delivered).containsExactly("1");
    assertThat(romeo.held).isOne();
    home.written(link, 1, now);
    assertThat(romeo.held).isZero();
    assertThat(home.isIdle()).isTrue();
  }

  @Test
  void whatWaitsForAComponentIsSentInItsOrder() {
    for (String id : List.of("1", "2", "3")) {
      send(romeo, id);
    }
    now += GIVE_UP - 1;
    home.checkTime(now);
    RecordingComponent link = new RecordingComponent(DOMAIN);
    open(link);
    assertThat(link.delivered).containsExactly("1", "2");
    home.written(link, 1, now);
    assertThat(link.delivered).containsExactly("1", "2", "3");
    home.written(link, 3, now);
    assertThat(romeo.held).isZero();
    assertThat(home.waitingBytes()).isZero();
    assertThat(errors).isEmpty();
  }

  @Test
  void aSmallStanzaDoesNotOvertakeALargeOne() {
    RecordingComponent link = new RecordingComponent(DOMAIN);
    open(link);
    send(romeo, "1");
    Element large = Element.builder("urn:x", "x").text("x".repeat(SIZE)).build();
    Message message = Message.of(Message.Type.CHAT, romeo.jid, DOMAIN, "large", List.of(large));
    home.accept(new Envelope(message, romeo, null), now);
    send(romeo, "2");
    home.written(link, 1, now);
    home.written(link, 2, now);
    assertThat(link.delivered).containsExactly("1", "large", "2");
  }

  @Test
  void whatWaitsTooLongComesBackOnce() {
    send(romeo, "1");
    send(juliet, "2");
    now += GIVE_UP;
    home.checkTime(now);
    home.checkTime(now + GIVE_UP);
    assertThat(errors)
        .containsExactly(
            "romeo@example.org/r 1 remote-server-timeout",
            "juliet@example.org/r 2 remote-server-timeout");
    assertThat(romeo.held + juliet.held).isZero();
    assertThat(home.isIdle()).isTrue();
  }

  @Test
  void nothingWaitsForAComponentThatIsAway() {
    now += GIVE_UP;
    send(romeo, "1");
    assertThat(errors).containsExactly("romeo@example.org/r 1 remote-server-timeout");
    RecordingComponent link = new RecordingComponent(DOMAIN);
    open(link);
    send(romeo, "2");
    assertThat(link.delivered).containsExactly("2");
    close(link);
    send(romeo, "3");
    assertThat(errors).hasSize(1);
  }

  @Test
  void whatHadNotLeftIsSentAgainInItsOrder() {
    RecordingComponent first = new RecordingComponent(DOMAIN);
    open(first);
    for (String id : List.of("1", "2", "3", "4")) {
      send(romeo, id);
    }
    home.written(first, 1, now);
    close(first);
    assertThat(home.isIdle()).isFalse();
    RecordingComponent second = new RecordingComponent(DOMAIN);
    open(second);
    home.written(first, 2, now); // too late
    home.written(second, 2, now);
    home.written(second, 3, now);
    assertThat(second.delivered).containsExactly("2", "3", "4");
    assertThat(romeo.held).isZero();
    assertThat(home.waitingBytes()).isZero();
  }

  @Test
  void whatLeavesAfterTheEndOfTheStreamIsNotSentAgain() {
    RecordingComponent first = new RecordingComponent(DOMAIN);
    open(first);
    for (String id : List.of("1", "2", "3")) {
      send(romeo, id);
    }
    home.end(first, now);
    RecordingComponent second = new RecordingComponent(DOMAIN);
    open(second);
    send(romeo, "4");
    send(juliet, "other");
    assertThat(second.delivered).containsExactly("other");
    home.written(first, 1, now);
    home.endOutput(first, now);
    home.written(second, 1, now);
    home.written(second, 3, now);
    assertThat(first.delivered).containsExactly("1", "2");
    assertThat(second.delivered).containsExactly("other", "2", "3", "4");
    home.written(second, 4, now);
    assertThat(romeo.held + juliet.held).isZero();
    assertThat(home.waitingBytes()).isZero();
    assertThat(home.isIdle()).isTrue();
  }

  @Test
  void aConnectionThatHasEndedIsNeitherUsedNorCounted() {
    RecordingComponent first = new RecordingComponent(DOMAIN);
    open(first);
    send(romeo, "1");
    home.end(first, now);
    assertThat(home.isConnected()).isFalse();
    send(juliet, "2");
    assertThat(first.delivered).containsExactly("1");
    RecordingComponent second = new RecordingComponent(DOMAIN);
    open(second);
    assertThat(home.open(new RecordingComponent(DOMAIN))).isTrue();
    assertThat(second.delivered).containsExactly("2");
    home.checkTime(now + GIVE_UP);
    assertThat(first.closed).isNull();
  }

  @Test
  void aComponentThatDoesNotReadLosesItsConnection() {
    RecordingComponent link = new RecordingComponent(DOMAIN);
    open(link);
    for (String id : List.of("1", "2", "3")) {
      send(romeo, id);
    }
    now += GIVE_UP / 2;
    home.written(link, 1, now);
    now += GIVE_UP - 1;
    home.checkTime(now);
    assertThat(link.closed).isNull();
    now += 1;
    home.checkTime(now);
    assertThat(link.closed).isEqualTo(StreamErrorCondition.CONNECTION_TIMEOUT);
    close(link);
    home.checkTime(now);
    assertThat(errors)
        .containsExactly(
            "romeo@example.org/r 2 remote-server-timeout",
            "romeo@example.org/r 3 remote-server-timeout");
    assertThat(romeo.held).isZero();
  }

  @Test
  void theHeavySenderIsPausedAndRejectedAndNobodyElse() {
    for (int i = 0; i < 60; i++) {
      send(romeo, "r" + i);
    }
    assertThat(romeo.paused).isOne();
    assertThat(errors).hasSize(20).allMatch(error -> error.endsWith(" resource-constraint"));
    errors.clear();
    send(juliet, "j");
    assertThat(errors).isEmpty();
    assertThat(juliet.paused).isZero();
    RecordingComponent link = new RecordingComponent(DOMAIN);
    open(link);
    for (int i = 1; i <= 41; i++) {
      home.written(link, i, now);
    }
    assertThat(link.delivered).hasSize(41).endsWith("j");
    assertThat(romeo.paused).isZero();
    assertThat(romeo.held + juliet.held).isZero();
  }

  @Test
  void manySendersStayNearTheBound() {
    for (int i = 0; i < 10_000; i++) {
      send(new Sender("user" + i), "x");
    }
    assertThat(home.waitingBytes()).isLessThanOrEqualTo(2 * 40 * SIZE);
  }

  @Test
  void moreConnectionsThanAllowedAreNotTaken() {
    assertThat(home.open(new RecordingComponent(DOMAIN))).isTrue();
    assertThat(home.open(new RecordingComponent(DOMAIN))).isTrue();
    assertThat(home.open(new RecordingComponent(DOMAIN))).isFalse();
  }

  @Test
  void usersAreSharedAndEachKeepsItsOrder() {
    RecordingComponent first = new RecordingComponent(DOMAIN);
    RecordingComponent second = new RecordingComponent(DOMAIN);
    open(first);
    open(second);
    List<Sender> users = IntStream.range(0, 200).mapToObj(i -> new Sender("user" + i)).toList();
    for (Sender user : users) {
      send(user, user.jid.toString());
      home.written(first, first.number, now);
      home.written(second, second.number, now);
    }
    assertThat(first.delivered).hasSizeBetween(60, 140);
    assertThat(second.delivered).hasSize(200 - first.delivered.size());
    List<String> before = List.copyOf(first.delivered);
    for (Sender user : users) {
      send(user, user.jid.toString());
      home.written(first, first.number, now);
      home.written(second, second.number, now);
    }
    assertThat(first.delivered.subList(before.size(), first.delivered.size())).isEqualTo(before);
  }

  /// Connections come and go in any order, and what they were sent may leave after their end. Every
  /// message leaves once, by one connection after all earlier ones of its sender, and nothing is
  /// lost.
  @Test
  void nothingIsLostOrReorderedWhateverComesAndGoes() {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(7);
    List<RecordingComponent> open = new ArrayList<>();
    List<RecordingComponent> ended = new ArrayList<>();
    List<Sender> users = List.of(romeo, juliet, new Sender("nurse"));
    int[] sent = new int[users.size()];
    int[] last = new int[users.size()];
    for (int step = 0; step < 20_000; step++) {
      int what = random.nextInt(20);
      if (what < 8 && home.waitingBytes() < 20 * SIZE) {
        int user = random.nextInt(users.size());
        send(users.get(user), user + ":" + ++sent[user]);
      } else if (what == 8 && open.size() < 2) {
        RecordingComponent link = new RecordingComponent(DOMAIN);
        open.add(link);
        assertThat(home.open(link)).isTrue();
        home.sendWaiting(now);
      } else if (what == 9 && !open.isEmpty() && random.nextInt(5) == 0) {
        RecordingComponent link = open.remove(random.nextInt(open.size()));
        home.end(link, now);
        ended.add(link);
      } else if (what == 10 && !ended.isEmpty()) {
        home.endOutput(ended.remove(random.nextInt(ended.size())), now);
      } else {
        List<RecordingComponent> any = random.nextInt(4) == 0 ? ended : open;
        if (!any.isEmpty()) {
          write(any.get(random.nextInt(any.size())), random, last);
        }
      }
    }
    assertThat(errors).isEmpty();
    assertThat(IntStream.range(0, 3).map(user -> sent[user] - last[user] - users.get(user).held))
        .containsOnly(0);
    assertThat(last[0]).isGreaterThan(1_000);
  }

  /// Some of what was delivered leaves: of each sender, its next messages.
  private void write(RecordingComponent link, RandomGenerator random, int[] last) {
    if (link.number == link.written) {
      return;
    }
    long upTo = link.written + 1 + random.nextLong(link.number - link.written);
    for (long each = link.written; each < upTo; each++) {
      String[] id = link.delivered.get((int) each).split(":", 2);
      assertThat(Integer.parseInt(id[1])).isEqualTo(++last[Integer.parseInt(id[0])]);
    }
    link.written = upTo;
    home.written(link, upTo, now);
  }
}
