package im.zonda.app.trace;

import im.zonda.app.StandardModules;
import im.zonda.jid.Jid;
import im.zonda.journal.Place;
import im.zonda.module.Envelope;
import im.zonda.route.Tracing;
import im.zonda.stanza.Message;
import im.zonda.stanza.Namespaces;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import im.zonda.trace.Verdict;
import im.zonda.trace.recording.Choice;
import im.zonda.xml.Element;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Measures what tracing adds to a message between two clients, in a loop with the calls that such
/// a message makes; run by hand, prints the median, the least and the greatest CPU time of 15
/// rounds: with no trace anywhere, with one trace of another account, with one of another network,
/// and with one of the receiver. What the store does later is not in it.
final class TraceMeasurement {
  private static final int ROUNDS = 15;
  private static final int MESSAGES = 2_000_000;
  private static final int TRACED = 50_000;
  private static final Jid ROMEO = Jid.of("romeo@example.org/garden");
  private static final Jid JULIET = Jid.of("juliet@example.org");

  private final Tracing tracing;
  private final Message message =
      Message.of(
          Message.Type.CHAT,
          ROMEO,
          JULIET,
          "m1",
          List.of(Element.builder(Namespaces.CLIENT, "body").text("text").build()));
  private final Envelope envelope = Envelope.of(message);
  private long sum;

  private TraceMeasurement(Tracing tracing) {
    this.tracing = tracing;
  }

  public static void main(String[] arguments) throws IOException {
    try (TestServer server = ServerPlan.of(StandardModules::create).startInMemory()) {
      TraceMeasurement measurement =
          new TraceMeasurement(server.server().router().routes().errors().tracing());
      server.server().traces().findNetworksBy(_ -> _ -> false);
      measurement.print("no trace", MESSAGES);
      server.server().traces().choose(List.of(choice("nurse@example.org", null)));
      measurement.print("a trace of another account", MESSAGES);
      server.server().traces().choose(List.of(choice(null, "203.0.113.0/24")));
      measurement.print("a trace of another network", MESSAGES);
      server.server().traces().choose(List.of(choice(JULIET.toString(), null)));
      measurement.print("a trace of the receiver", TRACED);
    }
    System.exit(0);
  }

  private static Choice choice(@Nullable String address, @Nullable String network) {
    Instant now = InstantSource.system().instant();
    return new Choice(
        "t1",
        address == null ? null : Jid.of(address),
        null,
        network,
        0,
        now,
        now.plusSeconds(3_600),
        "root");
  }

  @SuppressWarnings("SystemOut")
  private void print(String what, int messages) {
    List<Double> nanos = new ArrayList<>();
    for (int i = 0; i < ROUNDS; i++) {
      long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
      for (int j = 0; j < messages; j++) {
        pass();
      }
      long after = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
      nanos.add((after - before) / (double) messages);
    }
    Collections.sort(nanos);
    System.out.printf(
        Locale.ROOT,
        "%-28s %8.1f ns a message (%.1f to %.1f)%n",
        what,
        nanos.get(ROUNDS / 2),
        nanos.getFirst(),
        nanos.getLast());
  }

  /// The calls of a message from the stream of its sender to the socket of its receiver.
  private void pass() {
    long trace =
        tracing.on()
            ? tracing.received(
                message, 0, new Tracing.Arrival(Place.STREAM, "192.0.2.7", 1_000, "garden"))
            : 0;
    step(Place.SENT_FILTER, Verdict.PASSED);
    step(Place.HOME, Verdict.RECEIVED);
    step(Place.ARRIVING_FILTER, Verdict.PASSED);
    step(Place.LOG, Verdict.STORED);
    if (tracing.on() && tracing.noted(envelope, Place.SESSION, Verdict.DELIVERED, "phone")) {
      step(Place.SESSION, Verdict.WRITTEN);
    }
    if (trace != 0) {
      tracing.step(trace, Place.STREAM, Verdict.HANDLED, null);
    }
    sum += trace;
  }

  private void step(Place place, Verdict verdict) {
    if (tracing.on()) {
      tracing.step(envelope, place, verdict, null);
    }
  }

  @Override
  public String toString() {
    return String.valueOf(sum);
  }
}
