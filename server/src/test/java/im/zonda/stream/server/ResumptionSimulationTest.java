package im.zonda.stream.server;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.link.DomainPair;
import im.zonda.link.ServerStreamLink;
import im.zonda.stream.PeerCertificates;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Streams of both roles over connections that are cut between any two bytes, of which the two
/// sides learn at different times; stanzas are handled at any time. In an order that a seed
/// decides, all on one thread.
final class ResumptionSimulationTest {
  private static final DomainPair FORTH = new DomainPair("a.example", "x.b.example");
  private static final PeerCertificates GOOD =
      TestCertificates.presented(TestCertificates.NAMES, null);

  /// What one side has sent and received.
  private static final class Side {
    private final DomainPair pair;
    private final SplittableRandom random;
    private final List<String> received = new ArrayList<>();
    private final Deque<Long> unhandled = new ArrayDeque<>();
    private ServerStreamLink link;
    private long acknowledged;
    private int sent;
    private int resumed;

    private Side(DomainPair pair, SplittableRandom random, ServerStreamLink link) {
      this.pair = pair;
      this.random = random;
      this.link = link;
    }

    private void send() {
      sent++;
      link.deliver(
          pair,
          TestStanzas.message("u@" + pair.local(), "v@" + pair.remote(), "m" + sent),
          sent,
          0);
    }

    private void handleOne() {
      Long number = random.nextBoolean() ? unhandled.poll() : unhandled.pollLast();
      if (number != null) {
        link.handled(number);
      }
    }

    private void report(String event, TestServer server) {
      String what = event.substring(0, event.indexOf(' '));
      long number =
          what.equals("received") || what.equals("acknowledged")
              ? Long.parseLong(
                  event.substring(what.length() + 1, event.indexOf(' ', what.length() + 1)))
              : 0;
      switch (what) {
        case "received" -> {
          received.add(TestStanzas.body(server.gate.stanzas.removeFirst()));
          unhandled.add(number);
        }
        case "acknowledged" -> {
          assertThat(number).isGreaterThan(acknowledged).isLessThanOrEqualTo(sent);
          acknowledged = number;
        }
        case "resumed" -> resumed++;
        default -> {}
      }
    }
  }

  /// One connection; bytes that are under way.
  private static final class Cable {
    private final TestServer.End out;
    private final TestServer.End in;
    private String forth = "";
    private String back = "";
    private boolean secured;
    private boolean outGone;
    private boolean inGone;

    private Cable(TestServer a, TestServer b) {
      out = a.connect(a.streams.outgoing(FORTH).profile(TestServer.target()));
      in = b.connect(b.streams.incoming());
      out.transport.certificates = GOOD;
      in.transport.certificates = GOOD;
      out.bytes.stream().connected();
    }

    private void collect() {
      forth += out.output();
      back += in.output();
    }

    /// Moves some bytes, or does the handshake.
    void move(boolean all, SplittableRandom random) {
      collect();
      if (!secured
          && forth.replace("[TLS]", "").isEmpty()
          && back.replace("[TLS]", "").isEmpty()
          && out.transport.tlsStarts > 0
          && in.transport.tlsStarts > 0) {
        secured = true;
        forth = "";
        back = "";
        out.bytes.stream().secured();
        in.bytes.stream().secured();
        return;
      }
      int up = all || !secured ? forth.length() : random.nextInt(forth.length() + 1);
      int down = all || !secured ? back.length() : random.nextInt(back.length() + 1);
      String upward = forth.substring(0, up);
      String downward = back.substring(0, down);
      forth = forth.substring(up);
      back = back.substring(down);
      if (!inGone) {
        input(in, upward);
      }
      if (!outGone) {
        input(out, downward);
      }
      collect();
    }

    private static void input(TestServer.End end, String text) {
      byte[] bytes = text.replace("[TLS]", "").getBytes(StandardCharsets.UTF_8);
      end.bytes.input(bytes, 0, bytes.length);
    }

    void cutOut() {
      outGone = true;
      out.cut();
    }

    void cutIn() {
      if (!inGone) {
        inGone = true;
        in.cut();
      }
    }
  }

  private final TestServer a = new TestServer("a.example");
  private final TestServer b = new TestServer("x.b.example");
  private SplittableRandom random = new SplittableRandom(1);

  private static void report(TestServer server, Side side) {
    server.gate.take().forEach(event -> side.report(event, server));
  }

  private static void settle(Cable cable, SplittableRandom random) {
    for (int i = 0; i < 30; i++) {
      cable.move(true, random);
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 400", "401, 800"})
  void stanzasComeOnceAndInOrder(long first, long last) {
    int resumed = 0;
    for (long seed = first; seed <= last; seed++) {
      try {
        resumed += new ResumptionSimulationTest().run(seed);
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
    assertThat(resumed).isGreaterThan(1_000);
  }

  private int run(long seed) {
    random = new SplittableRandom(seed);
    Cable cable = new Cable(a, b);
    settle(cable, random);
    Side forth = new Side(FORTH, random, a.gate.link());
    Side back = new Side(new DomainPair(FORTH.remote(), FORTH.local()), random, b.gate.link());
    a.gate.take();
    b.gate.take();
    Cable old = cable;
    for (int step = 0; step < 150; step++) {
      switch (random.nextInt(12)) {
        case 0, 1, 2 -> forth.send();
        case 3, 4 -> back.send();
        case 5, 6, 7 -> cable.move(false, random);
        case 8 -> forth.handleOne();
        case 9 -> back.handleOne();
        case 10 -> cable.move(true, random);
        default -> {
          if (random.nextInt(3) == 0) {
            cable = replace(cable, forth, back);
            old.cutIn(); // the connection before that one, if the other server has not noticed
            old = cable;
          }
        }
      }
      report(a, forth);
      report(b, back);
    }
    for (int i = 0; i < 20; i++) {
      settle(cable, random);
      report(a, forth);
      report(b, back);
      while (!forth.unhandled.isEmpty() || !back.unhandled.isEmpty()) {
        forth.handleOne();
        back.handleOne();
      }
    }
    check(forth, back);
    check(back, forth);
    return forth.resumed;
  }

  /// The initiating side loses its connection and opens another one.
  private Cable replace(Cable cable, Side forth, Side back) {
    cable.collect();
    cable.cutOut();
    if (random.nextBoolean()) {
      cable.cutIn();
    }
    report(a, forth);
    report(b, back);
    Cable next = new Cable(a, b);
    for (int i = random.nextInt(40); i > 0; i--) {
      next.move(true, random);
      cable.in.output();
      if (random.nextInt(4) == 0) {
        forth.handleOne();
        back.handleOne();
      }
    }
    return next;
  }

  private static void check(Side from, Side to) {
    List<String> expected = new ArrayList<>();
    for (int i = 1; i <= from.sent; i++) {
      expected.add("m" + i);
    }
    assertThat(to.received).isEqualTo(expected);
    assertThat(from.acknowledged).isEqualTo(from.sent);
  }
}
