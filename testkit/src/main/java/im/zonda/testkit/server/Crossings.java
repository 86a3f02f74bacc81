package im.zonda.testkit.server;

import im.zonda.link.SessionEnd;
import im.zonda.link.SessionGate;
import im.zonda.link.StreamEnd;
import im.zonda.link.ToSession;
import im.zonda.link.ToStream;
import im.zonda.testkit.client.Inbox;
import im.zonda.testkit.client.StreamEvent;
import im.zonda.testkit.xml.XmlElement;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Records which kinds of values cross the links between streams and sessions, and which elements
/// of negotiation and stream features arrive at clients. Thread-safe; serves many servers.
public final class Crossings {
  private static final String CLIENT = "jabber:client";

  private final Set<String> seen = ConcurrentHashMap.newKeySet();

  /// What has been recorded, sorted: `ToSession.Bind` for a kind of value, `{namespace}name` for an
  /// element of negotiation, `feature {namespace}name` for a stream feature, at any depth, and
  /// `mechanism PLAIN` for a mechanism of SASL.
  public Set<String> seen() {
    return new TreeSet<>(seen);
  }

  /// The name in [#seen] of a kind of value of the link.
  public static String nameOf(Class<?> kind) {
    return kind.getName().substring(kind.getPackageName().length() + 1).replace('$', '.');
  }

  /// The same gate, whose links are recorded.
  SessionGate over(SessionGate gate) {
    return stream -> new RecordedSession(gate.open(new RecordedStream(stream)));
  }

  /// The same inbox, whose elements are recorded.
  Inbox over(Inbox inbox) {
    return new Inbox() {
      @Override
      public void put(StreamEvent event) {
        if (event instanceof StreamEvent.Received(XmlElement element)) {
          record(element);
        }
        inbox.put(event);
      }

      @Override
      public @Nullable StreamEvent take(Duration patience) throws InterruptedException {
        return inbox.take(patience);
      }
    };
  }

  private void record(XmlElement element) {
    if (element.localName().equals("features")) {
      recordFeatures(element);
    } else if (!element.namespace().equals(CLIENT)) {
      seen.add(name(element));
    }
  }

  private void recordFeatures(XmlElement parent) {
    for (XmlElement child : parent.children()) {
      if (child.localName().equals("mechanism")) {
        seen.add("mechanism " + child.text());
      } else {
        seen.add("feature " + name(child));
        recordFeatures(child);
      }
    }
  }

  private static String name(XmlElement element) {
    return "{" + element.namespace() + "}" + element.localName();
  }

  private final class RecordedStream implements StreamEnd {
    private final StreamEnd stream;

    RecordedStream(StreamEnd stream) {
      this.stream = stream;
    }

    @Override
    public void receive(ToStream value) {
      seen.add(nameOf(value.getClass()));
      stream.receive(value);
    }

    @Override
    public boolean keepsState() {
      return stream.keepsState();
    }
  }

  private final class RecordedSession implements SessionEnd {
    private final SessionEnd session;

    RecordedSession(SessionEnd session) {
      this.session = session;
    }

    @Override
    public void receive(ToSession value) {
      seen.add(nameOf(value.getClass()));
      session.receive(value);
    }

    @Override
    public void outputEnded() {
      session.outputEnded();
    }
  }
}
