package im.zonda.link;

import im.zonda.jid.Jid;
import im.zonda.session.ClientConnection;
import im.zonda.session.ClientNetwork;
import im.zonda.session.UserAgent;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Namespaces;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaFormatException;
import im.zonda.stanza.StreamErrorCondition;
import im.zonda.xml.Element;
import im.zonda.xml.XmlException;
import im.zonda.xml.framing.XmlParser;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Values of every kind, as a seed chooses them.
final class AnyValues {
  private static final List<String> TEXTS =
      List.of("", "a", "Hällo ✓ 🎈", "<&>\"'", "line\nline", "x".repeat(300));
  private static final List<Jid> ADDRESSES =
      List.of(
          Jid.of("juliet@example.org/balcony"),
          Jid.of("romeo@example.org"),
          Jid.of("pokój@example.org/Schlüssel ✓"));
  private static final List<String> STANZAS =
      List.of(
          "<message to='romeo@example.org' id='1'><body>hi &lt;you&gt; ✓</body></message>",
          "<message type='chat' xml:lang='de'><body>a</body><x xmlns='urn:x'"
              + " y='&apos;'/></message>",
          "<presence/>",
          "<presence type='unavailable' from='a@b/c'><status>bye</status></presence>",
          "<iq type='get' id='q'><query xmlns='jabber:iq:roster'/></iq>",
          "<iq type='result' id='q' from='a@b' to='c@d/e'/>",
          "<iq type='error' from='@&lt;/' to='c@d/e'><error/></iq>");

  private final SplittableRandom random;

  AnyValues(SplittableRandom random) {
    this.random = random;
  }

  ToSession toSession() {
    return switch (random.nextInt(12)) {
      case 0 -> bind();
      case 1 ->
          random.nextBoolean()
              ? new ToSession.Resume(address(), text(), number())
              : new ToSession.Resume(
                  address(), text(), number(), false, new SessionVersion(number(), number(), 0));
      case 2 -> new ToSession.Enable(random.nextBoolean());
      case 3 -> new ToSession.Received(stanza(), number());
      case 4 -> new ToSession.HandledByStream(number(), random.nextBoolean() ? null : stanza());
      case 5 -> new ToSession.Acknowledged(number());
      case 6 -> new ToSession.Written(number());
      case 7 -> new ToSession.Active(random.nextBoolean());
      case 8 -> new ToSession.EnablingOver();
      case 9 -> new ToSession.Lost();
      case 10 -> new ToSession.Recover(lost());
      default -> new ToSession.Ended();
    };
  }

  ToStream toStream() {
    return switch (random.nextInt(15)) {
      case 0 ->
          new ToStream.Bound(
              address(),
              IntStream.range(0, random.nextInt(4)).mapToObj(_ -> element()).toList(),
              random.nextBoolean() ? null : enabled());
      case 1 -> new ToStream.NotBound(one(List.of(ErrorCondition.values())));
      case 2 -> enabled();
      case 3 -> new ToStream.NotEnabled();
      case 4 -> new ToStream.Resumed(address(), number(), number(), random.nextInt(3));
      case 5 -> new ToStream.SessionNotFound(random.nextBoolean() ? null : number());
      case 6 -> new ToStream.Unsettled();
      case 7 -> new ToStream.CountTooHigh(number());
      case 8 -> new ToStream.Deliver(stanza(), number(), random.nextBoolean());
      case 9 -> new ToStream.Handled(number());
      case 10 -> new ToStream.PauseReading();
      case 11 -> new ToStream.ResumeReading();
      case 12 -> new ToStream.State("<state/>");
      case 13 -> new ToStream.Moved();
      default -> new ToStream.Close(one(List.of(StreamErrorCondition.values())), maybe());
    };
  }

  private LostSession lost() {
    return new LostSession(
        address(),
        "<state/>",
        text(),
        new LostSession.Counts(number(), number()),
        random.nextBoolean() ? Map.of() : Map.of(address().bare(), text()),
        IntStream.range(0, random.nextInt(4))
            .mapToObj(_ -> new LostSession.Sent(stanza(), Duration.ofMillis(random.nextInt(9_000))))
            .toList());
  }

  /// All that a value says, as text.
  static String text(Object value) {
    if (value instanceof Stanza stanza) {
      return canonical(stanza.toElement());
    }
    if (value instanceof List<?> list) {
      return list.stream().map(AnyValues::text).toList().toString();
    }
    if (!(value instanceof Record)) {
      return String.valueOf(value);
    }
    StringBuilder all = new StringBuilder(value.getClass().getSimpleName());
    for (RecordComponent component : value.getClass().getRecordComponents()) {
      try {
        Object part = component.getAccessor().invoke(value);
        all.append(' ')
            .append(component.getName())
            .append('=')
            .append(part == null ? "" : text(part));
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(e);
      }
    }
    return all.toString();
  }

  /// With the attributes in alphabetical order.
  private static String canonical(Element element) {
    return element.name() + new TreeMap<>(attributes(element)).toString() + element.nodes();
  }

  private static Map<String, String> attributes(Element element) {
    return element.attributes().entrySet().stream()
        .collect(Collectors.toMap(each -> each.getKey().toString(), Map.Entry::getValue));
  }

  private ToSession.Inline inline() {
    return new ToSession.Inline(
        new UserAgent(maybe(), maybe(), maybe()),
        element(),
        one(List.of(ToSession.Management.values())),
        random.nextBoolean());
  }

  private ToStream.Enabled enabled() {
    return new ToStream.Enabled(maybe(), Duration.ofSeconds(random.nextInt(100_000)));
  }

  private Element element() {
    return Element.builder("urn:example", "e")
        .attribute("a", text())
        .child("c", text())
        .child(Element.of("urn:other", "o"))
        .build();
  }

  private Stanza stanza() {
    try {
      return Stanza.reread(XmlParser.frame(one(STANZAS), Namespaces.CLIENT));
    } catch (XmlException | StanzaFormatException e) {
      throw new IllegalStateException(e);
    }
  }

  private long number() {
    return random.nextLong() >>> random.nextInt(1, 64);
  }

  private ToSession.Bind bind() {
    ToSession.Inline inline = random.nextBoolean() ? null : inline();
    ClientNetwork guest =
        random.nextBoolean() ? null : new ClientNetwork(random.nextBoolean(), random.nextLong());
    ClientConnection from = random.nextBoolean() ? null : new ClientConnection(text(), maybe());
    return new ToSession.Bind(address(), maybe(), inline, guest, from);
  }

  private Jid address() {
    return one(ADDRESSES);
  }

  private String text() {
    return one(TEXTS);
  }

  private @Nullable String maybe() {
    return random.nextBoolean() ? null : text();
  }

  private <T> T one(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }
}
