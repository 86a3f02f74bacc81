package im.zonda.edge;

import im.zonda.jid.Jid;
import im.zonda.link.LostSession;
import im.zonda.link.SessionVersion;
import im.zonda.link.ToSession;
import im.zonda.link.ToStream;
import im.zonda.metric.TimingCounts;
import im.zonda.stanza.Namespaces;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaFormatException;
import im.zonda.stream.StreamOpening;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import im.zonda.xml.StreamHeader;
import im.zonda.xml.XmlException;
import im.zonda.xml.XmlLimits;
import im.zonda.xml.framing.XmlParser;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// One value of every kind between edge and core.
final class EdgeValues {
  private static final Jid FULL = Jid.of("juliet@example.org/balcony");
  private static final Element ELEMENT =
      Element.builder("urn:example", "auth").attribute("a", "<&'").child("c", "✓").build();

  private EdgeValues() {}

  static List<ToCore> toCore() {
    StreamHeader header =
        new StreamHeader(
            new QName(Namespaces.STREAM, "stream"),
            Map.of(
                new QName("", "to"),
                "example.org",
                new QName("", "version"),
                "1.0",
                new QName(Namespaces.XML, "lang"),
                "pl"),
            Namespaces.CLIENT);
    return List.of(
        new ToCore.Alive(),
        new ToCore.Header(
            1,
            header,
            new ToCore.Facts(InetAddress.ofLiteral("2001:db8::1"), true, "0a0b", null, "0304")),
        new ToCore.Header(
            2,
            header,
            new ToCore.Facts(InetAddress.ofLiteral("192.0.2.1"), false, null, "ff", null)),
        new ToCore.FirstLevel(1L << 40, ELEMENT),
        new ToCore.Value(7, new ToSession.Received(stanza(), 3)),
        new ToCore.Value(7, new ToSession.Lost()),
        new ToCore.Reattach(9, FULL, "0123abcd", "session", 4_294_967_296L, null),
        new ToCore.Reattach(9, FULL, "0123abcd", "session", 4, new SessionVersion(3, 2, 0)),
        new ToCore.Recover(
            9,
            FULL,
            "<state/>",
            "proof",
            "session",
            new LostSession.Counts(3, 4),
            Map.of(FULL.bare(), "id"),
            2),
        new ToCore.Recover(
            9, FULL, "<state/>", "proof", "session", new LostSession.Counts(3, 4), Map.of(), 0),
        new ToCore.Unacknowledged(9, new LostSession.Sent(stanza(), Duration.ofMillis(5))),
        new ToCore.Gone(0),
        new ToCore.Measured(TimingCounts.NONE),
        new ToCore.Measured(TimingCounts.of(Map.of(0, 3L, 721, 1L << 40), 1L << 50)));
  }

  static List<ToEdge> toEdge() {
    return List.of(
        new ToEdge.Alive(),
        new ToEdge.Stopping(),
        new ToEdge.Leaving(true),
        new ToEdge.Leaving(false),
        new ToEdge.Banned(List.of()),
        new ToEdge.Banned(List.of("192.0.2.0/24", "2001:db8::1")),
        new ToEdge.Header(
            1,
            new StreamOpening(
                Namespaces.CLIENT,
                FULL.domainJid(),
                null,
                "id",
                "en",
                true,
                Map.of("a", "urn:a", "b", "urn:b"))),
        new ToEdge.Write(1, ELEMENT),
        new ToEdge.WriteStanza(1, stanza()),
        new ToEdge.StartTls(1),
        new ToEdge.Restart(1),
        new ToEdge.Authenticated(1, XmlLimits.CLIENT),
        new ToEdge.Continue(1),
        new ToEdge.Finish(1),
        new ToEdge.TakeOver(
            1,
            FULL.domainJid(),
            "0123",
            "session",
            new ToStream.Bound(
                FULL, List.of(ELEMENT), new ToStream.Enabled("session", Duration.ofMinutes(5)))),
        new ToEdge.TakeOver(2, FULL.domainJid(), "0123", null, new ToStream.Resumed(FULL, 5, 6)),
        new ToEdge.Value(3, new ToStream.Handled(12)),
        new ToEdge.State(3, "<state/>", "proof"),
        new ToEdge.State(3, null, "proof"),
        new ToEdge.WindowUpdate(3, 20_000));
  }

  private static Stanza stanza() {
    try {
      return Stanza.of(
          XmlParser.frame(
              "<message to='romeo@example.org' id='1'><body>hi &lt;you&gt;</body></message>",
              Namespaces.CLIENT));
    } catch (XmlException | StanzaFormatException e) {
      throw new IllegalStateException(e);
    }
  }
}
