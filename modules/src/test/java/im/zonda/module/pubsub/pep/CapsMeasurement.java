package im.zonda.module.pubsub.pep;

import im.zonda.jid.Jid;
import im.zonda.module.ExternalComponents;
import im.zonda.module.pubsub.caps.Caps;
import im.zonda.module.pubsub.caps.CapsLearner;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestXml;
import im.zonda.session.CapabilityCache;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;

/// Measures the memory of the capabilities of many sessions of few client versions; run by hand,
/// prints figures. Each session is of an account of its own. Arguments: how many sessions, how many
/// versions, and how many features a version has.
public final class CapsMeasurement {
  private final int sessions;
  private final int versions;
  private final int features;
  private final TestContext context = new TestContext();
  private final CapabilityCache cache = context.port(CapabilityCache.class);
  private final CapsLearner learner =
      new CapsLearner(cache, context.port(ExternalComponents.class), context.ids());

  private CapsMeasurement(int sessions, int versions, int features) {
    this.sessions = sessions;
    this.versions = versions;
    this.features = features;
  }

  /// Measures it three times.
  public static void main(String[] args) {
    if (args.length != 3) {
      System.err.println("SESSIONS VERSIONS FEATURES");
      System.exit(2);
    }
    for (int round = 0; round < 3; round++) {
      new CapsMeasurement(
              Integer.parseInt(args[0]), Integer.parseInt(args[1]), Integer.parseInt(args[2]))
          .measure();
    }
  }

  private void measure() {
    long empty = used();
    List<Object> without = fill(false);
    long plain = used();
    List<Object> with = fill(true);
    long both = used();
    System.out.printf(
        Locale.ROOT,
        "%d sessions, %d versions of %d features: %,d bytes without capabilities, %,d more with"
            + " them%n",
        (without.size() + with.size()) / 4,
        versions,
        features,
        plain - empty,
        both - plain - (plain - empty));
  }

  /// The state of each session's account, and what the session keeps itself.
  private List<Object> fill(boolean capable) {
    List<Object> kept = new ArrayList<>(2 * sessions);
    for (int i = 0; i < sessions; i++) {
      PepState state = new PepState();
      Caps caps = capable ? learner.share(parse(i % versions)) : null;
      Jid full = Jid.of("user" + i + "@example.org/phone");
      PepState.Client client = state.put(full, caps);
      if (caps != null) {
        Set<String> known = learner.find(caps);
        client.learned(known == null ? learn(caps, full) : known);
      }
      kept.add(state);
      kept.add(caps == null ? "" : caps.version());
    }
    return kept;
  }

  private static Caps parse(int version) {
    return Objects.requireNonNull(
        Caps.of(
            TestXml.presence(
                "<presence><c xmlns='http://jabber.org/protocol/caps' hash='sha-1'"
                    + " node='https://client.example.org/"
                    + version
                    + "' ver='QgayPKawpkPSDYmwT/"
                    + String.format(Locale.ROOT, "%09d", version)
                    + "='/></presence>")));
  }

  private Set<String> learn(Caps caps, Jid client) {
    Set<String> all = new HashSet<>();
    for (int i = 0; i < features; i++) {
      all.add("http://jabber.org/protocol/feature-" + i + "#of-a-client");
    }
    cache.add(
        new CapabilityCache.Key(caps.algorithm(), caps.version()), Set.copyOf(all), client.bare());
    return Objects.requireNonNull(learner.find(caps));
  }

  private static long used() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
