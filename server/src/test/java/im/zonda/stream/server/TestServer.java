package im.zonda.stream.server;

import im.zonda.config.limits.Limits;
import im.zonda.config.limits.S2sLimits;
import im.zonda.dns.Target;
import im.zonda.dns.Tlsa;
import im.zonda.link.DomainPair;
import im.zonda.runtime.TestRuntime;
import im.zonda.stream.ByteStream;
import im.zonda.stream.MemoryTransport;
import im.zonda.stream.StreamProfile;
import im.zonda.xml.XmlLimits;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// A server whose streams are in memory, without homes.
final class TestServer implements ServerStreamPolicy {
  final FakeServerGate gate = new FakeServerGate();
  final Set<String> denied = new HashSet<>();
  boolean requiresTls = true;
  boolean allowsDialback;

  /// What the connector was asked for last.
  ServerConnector.Profiles asked =
      server -> {
        throw new IllegalStateException("nothing was asked for");
      };

  /// The domain of the connection that was asked for last; empty if there was none.
  String askedFor = "";

  /// How often the connector was asked.
  int attempts;

  private final Set<String> served;

  final ServerStreams streams;

  /// The time.
  Instant now = TestCertificates.VALID;

  TestServer(String... domains) {
    this(S2sLimits.DEFAULTS, domains);
  }

  TestServer(S2sLimits resumption, String... domains) {
    served = Set.of(domains);
    streams =
        new ServerStreams(
            new ServerStreamSettings(
                Limits.defaults(),
                resumption,
                XmlLimits.CLIENT,
                new DialbackKeys("s3cr3tf0rd14lb4ck of " + domains[0]),
                new TestRuntime().clock(() -> now).build()),
            domain -> served.contains(domain) ? domain : null,
            this,
            gate,
            (domain, profiles, failed) -> {
              attempts++;
              askedFor = domain;
              asked = profiles;
            });
  }

  @Override
  public boolean isAllowed(DomainPair pair) {
    return !denied.contains(pair.remote());
  }

  @Override
  public boolean requiresTls(DomainPair pair) {
    return requiresTls;
  }

  @Override
  public boolean allowsDialback(DomainPair pair) {
    return allowsDialback;
  }

  /// A server with STARTTLS and that TLSA records.
  static Target target(Tlsa... records) {
    return new Target(
        "xmpp.b.example", List.of(InetAddress.getLoopbackAddress()), 5269, false, List.of(records));
  }

  /// A connection of this server.
  End connect(StreamProfile profile) {
    return new End(profile);
  }

  /// One end of a connection.
  static final class End {
    final MemoryTransport transport = new MemoryTransport();
    final ByteStream bytes;
    private boolean told;

    End(StreamProfile profile) {
      bytes = new ByteStream(profile, transport);
      transport.stream = bytes.stream();
    }

    /// Feeds the stream; returns what it writes.
    String send(String xml) {
      byte[] sent = xml.getBytes(StandardCharsets.UTF_8);
      bytes.input(sent, 0, sent.length);
      return output();
    }

    /// The connection is lost.
    void cut() {
      transport.closed = true;
      bytes.stream().disconnected();
    }

    String output() {
      while (!transport.tasks.isEmpty()) {
        transport.tasks.remove().run();
      }
      // Once a turn, as the network does it.
      if (!bytes.stream().closed()) {
        bytes.stream().flushing();
      }
      return transport.output();
    }
  }

  /// Carries bytes between two ends until neither has more to say; returns them, `>` from the
  /// first, `<` from the second.
  static String join(End first, End second) {
    StringBuilder log = new StringBuilder();
    for (int quiet = 0; quiet < 2; ) {
      String forth = carry(first, second, "> ", log);
      String back = carry(second, first, "< ", log);
      boolean tls = handshake(first, second);
      quiet = forth.isEmpty() && back.isEmpty() && !tls ? quiet + 1 : 0;
    }
    return log.toString();
  }

  /// The same until the first has said something, which the second does not get.
  static String joinUntil(End first, End second, String last) {
    StringBuilder log = new StringBuilder();
    for (int turns = 0; turns < 100; turns++) {
      String output = first.output();
      log.append(output);
      if (output.contains(last)) {
        return log.toString();
      }
      if (!output.isEmpty()) {
        byte[] sent = output.replace("[TLS]", "").getBytes(StandardCharsets.UTF_8);
        second.bytes.input(sent, 0, sent.length);
      }
      carry(second, first, "< ", log);
      handshake(first, second);
    }
    throw new AssertionError("not said: " + last + "\n" + log);
  }

  private static String carry(End from, End to, String mark, StringBuilder log) {
    String output = from.output();
    if (!output.isEmpty()) {
      log.append(mark).append(output).append('\n');
      byte[] sent = output.replace("[TLS]", "").getBytes(StandardCharsets.UTF_8);
      to.bytes.input(sent, 0, sent.length);
    }
    return output;
  }

  private static boolean handshake(End first, End second) {
    boolean done = false;
    if (first.transport.tlsStarts > 0 && second.transport.tlsStarts > 0) {
      for (End end : new End[] {first, second}) {
        if (!end.told) {
          end.told = true;
          end.bytes.stream().secured();
          done = true;
        }
      }
    }
    return done;
  }
}
