package im.zonda.edge;

import im.zonda.jid.Jid;
import im.zonda.link.LinkCodec;
import im.zonda.link.LinkFormatException;
import im.zonda.link.LinkInput;
import im.zonda.link.LinkOutput;
import im.zonda.link.LostSession;
import im.zonda.link.SessionVersion;
import im.zonda.link.ToStream;
import im.zonda.stream.StreamOpening;
import im.zonda.xml.QName;
import im.zonda.xml.StreamHeader;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The binary form of the values between an edge and its core: a byte for the version, a byte for
/// the kind, the fields; of a value for a stream, its number is the first field. Bytes that are no
/// value, or more than the bound, are rejected with a [LinkFormatException].
///
/// A value that cannot be read, or is too large, costs the stream that it is for and no other
/// ([#instead], [#streamOf]).
public final class EdgeCodec {
  private static final int VERSION = 1;

  /// The most bytes of one value of the link: more than the longest stanza that can be read again
  /// ([im.zonda.xml.framing.XmlParser]), so that what a stream may be sent can cross. The same at
  /// all edges and cores, whatever their limits. No value is kept in parts: what is under way is
  /// what its stream has been sent.
  private static final int MAX_VALUE = (64 << 20) + 65_536;

  /// What surrounds a value of the link.
  private static final int AROUND = 4_096;

  /// Version, kind and number of a stream, at most; and what other values have.
  private static final int HEAD = 12;

  private static final int USUAL = 64;

  private static final int MAX_NAMES = 64;

  /// Kinds of values for an edge: those for no stream in particular, and the link's. No kind from
  /// [#LEAVING] on is for a stream.
  private static final int ALIVE = 1;

  private static final int STOPPING = 2;
  private static final int LEAVING = 15;
  private static final int VALUE = 12;

  /// The last kind of this version for an edge.
  static final int LAST_FOR_EDGE = 16;

  /// The same for a core.
  public static final int LAST_FOR_CORE = 11;

  private final LinkCodec values;
  private final int maxBytes;

  /// The form that edges and cores use.
  public EdgeCodec() {
    this(MAX_VALUE);
  }

  /// A form with another bound.
  ///
  /// @param maxValueBytes the most bytes of a value of the link
  public EdgeCodec(int maxValueBytes) {
    this.maxBytes = maxValueBytes + AROUND;
    this.values = new LinkCodec(maxValueBytes);
  }

  /// The most bytes of one value.
  public int maxBytes() {
    return maxBytes;
  }

  // ---- edge to core

  /// The bytes of a value.
  public static byte[] write(ToCore value) {
    int size = value instanceof ToCore.Value(var _, var inner) ? LinkCodec.size(inner) : USUAL;
    LinkOutput out = new LinkOutput(VERSION, kind(value), HEAD + size);
    switch (value) {
      case ToCore.Alive() -> {}
      case ToCore.Header(var stream, var header, var facts) -> {
        out.number(stream);
        writeHeader(header, out);
        out.bytes(facts.address().getAddress());
        out.flag(facts.secure());
        out.optionalText(facts.exporter());
        out.optionalText(facts.endPoint());
        out.optionalText(facts.tlsVersion());
      }
      case ToCore.FirstLevel(var stream, var element) -> {
        out.number(stream);
        out.element(element);
      }
      case ToCore.Value(var stream, var inner) -> {
        out.number(stream);
        LinkCodec.write(inner, out);
      }
      case ToCore.Reattach reattach -> writeReattach(reattach, out);
      case ToCore.Gone(var stream) -> out.number(stream);
      case ToCore.Measured(var times) -> EdgeTimings.write(times, out);
      case ToCore.Recover rebuild -> writeRebuild(rebuild, out);
      case ToCore.Unacknowledged(var stream, var sent) -> {
        out.number(stream);
        out.number(sent.age().toMillis());
        out.stanza(sent.stanza());
      }
    }
    return out.toByteArray();
  }

  private static int kind(ToCore value) {
    return switch (value) {
      case ToCore.Alive _ -> 1;
      case ToCore.Header _ -> 2;
      case ToCore.FirstLevel _ -> 3;
      case ToCore.Value _ -> 4;
      case ToCore.Reattach each -> each.version() == null ? 5 : 10;
      case ToCore.Gone _ -> 6;
      case ToCore.Recover _ -> 7;
      case ToCore.Unacknowledged _ -> 8;
      case ToCore.Measured _ -> LAST_FOR_CORE;
    };
  }

  private static void writeReattach(ToCore.Reattach value, LinkOutput out) {
    out.number(value.stream());
    out.jid(value.jid());
    out.text(value.ticket());
    out.text(value.id());
    out.number(value.h());
    SessionVersion version = value.version();
    if (version != null) {
      out.number(version.resumptions());
      out.number(version.sent());
    }
  }

  /// @param version what it says: 1, or 2 with how many times the client had resumed the session,
  ///   or 3 with how many stanzas it has been sent, too
  private static ToCore.Reattach reattach(LinkInput in, int version) throws LinkFormatException {
    return new ToCore.Reattach(
        in.number(),
        in.jid(),
        in.text(),
        in.text(),
        in.number(),
        version > 1 ? new SessionVersion(in.number(), version > 2 ? in.number() : 0, 0) : null);
  }

  private static void writeRebuild(ToCore.Recover rebuild, LinkOutput out) {
    out.number(rebuild.stream());
    out.jid(rebuild.jid());
    out.text(rebuild.state());
    out.text(rebuild.proof());
    out.text(rebuild.id());
    out.number(rebuild.counts().handled());
    out.number(rebuild.counts().acknowledged());
    LinkCodec.writeIds(rebuild.lastIds(), out);
    out.number(rebuild.unacknowledged());
  }

  private static ToCore.Recover rebuild(LinkInput in) throws LinkFormatException {
    return new ToCore.Recover(
        in.number(),
        in.jid(),
        in.text(),
        in.text(),
        in.text(),
        new LostSession.Counts(in.number(), in.number()),
        LinkCodec.ids(in),
        amount(in));
  }

  private static int amount(LinkInput in) throws LinkFormatException {
    long amount = in.number();
    if (amount > Integer.MAX_VALUE) {
      throw new LinkFormatException("too many");
    }
    return (int) amount;
  }

  private static ToCore.Unacknowledged unacknowledged(LinkInput in) throws LinkFormatException {
    long stream = in.number();
    Duration age = Duration.ofMillis(in.number());
    return new ToCore.Unacknowledged(stream, new LostSession.Sent(in.stanza(), age));
  }

  /// The value of these bytes.
  ///
  /// @throws LinkFormatException if they are none
  public ToCore readToCore(byte[] bytes) throws LinkFormatException {
    LinkInput in = open(bytes);
    ToCore value =
        switch (in.octet()) {
          case 1 -> new ToCore.Alive();
          case 2 -> new ToCore.Header(in.number(), header(in), facts(in));
          case 3 -> new ToCore.FirstLevel(in.number(), in.element());
          case 4 -> new ToCore.Value(in.number(), values.readToSession(in));
          case 5 -> reattach(in, 1);
          case 6 -> new ToCore.Gone(in.number());
          case 7 -> rebuild(in);
          case 8 -> unacknowledged(in);
          case 9 -> reattach(in, 2);
          case 10 -> reattach(in, 3);
          case 11 -> new ToCore.Measured(EdgeTimings.read(in));
          default -> throw new LinkFormatException("an unknown kind of value");
        };
    in.end();
    return value;
  }

  private static void writeHeader(StreamHeader header, LinkOutput out) {
    writeName(header.name(), out);
    out.number(header.attributes().size());
    // In order, so that equal values have equal bytes.
    header.attributes().entrySet().stream()
        .sorted(Comparator.comparing(each -> each.getKey().toString()))
        .forEach(each -> {
          writeName(each.getKey(), out);
          out.text(each.getValue());
        });
    out.text(header.defaultNamespace());
  }

  private static void writeName(QName name, LinkOutput out) {
    out.text(name.namespace());
    out.text(name.name());
  }

  private static StreamHeader header(LinkInput in) throws LinkFormatException {
    QName name = name(in);
    Map<QName, String> attributes = new HashMap<>();
    for (int left = count(in); left > 0; left--) {
      attributes.put(name(in), in.text());
    }
    return new StreamHeader(name, Map.copyOf(attributes), in.text());
  }

  private static QName name(LinkInput in) throws LinkFormatException {
    return new QName(in.text(), in.text());
  }

  private static int count(LinkInput in) throws LinkFormatException {
    long count = in.number();
    if (count > MAX_NAMES) {
      throw new LinkFormatException("too many names");
    }
    return (int) count;
  }

  private static ToCore.Facts facts(LinkInput in) throws LinkFormatException {
    InetAddress address;
    try {
      address = InetAddress.getByAddress(in.bytes());
    } catch (UnknownHostException e) {
      throw new LinkFormatException("not an IP address", e);
    }
    return new ToCore.Facts(
        address, in.flag(), in.optionalText(), in.optionalText(), in.optionalText());
  }

  // ---- core to edge

  /// The bytes of a value.
  public static byte[] write(ToEdge value) {
    int size = value instanceof ToEdge.Value(var _, var inner) ? LinkCodec.size(inner) : USUAL;
    LinkOutput out = new LinkOutput(VERSION, kind(value), HEAD + size);
    switch (value) {
      case ToEdge.Alive(), ToEdge.Stopping() -> {}
      case ToEdge.Leaving(var leaving) -> out.flag(leaving);
      case ToEdge.Banned(var networks) -> out.text(String.join("\n", networks));
      case ToEdge.Header(var stream, var opening) -> {
        out.number(stream);
        writeOpening(opening, out);
      }
      case ToEdge.Write(var stream, var element) -> {
        out.number(stream);
        out.element(element);
      }
      case ToEdge.WriteStanza(var stream, var stanza) -> {
        out.number(stream);
        out.stanza(stanza);
      }
      case ToEdge.StartTls(var stream) -> out.number(stream);
      case ToEdge.Restart(var stream) -> out.number(stream);
      case ToEdge.Authenticated(var stream, var limits) -> {
        out.number(stream);
        EdgeLimits.write(limits, out);
      }
      case ToEdge.Continue(var stream) -> out.number(stream);
      case ToEdge.Finish(var stream) -> out.number(stream);
      case ToEdge.TakeOver(var stream, var domain, var ticket, var id, var answer) -> {
        out.number(stream);
        out.jid(domain);
        out.text(ticket);
        out.optionalText(id);
        out.bytes(LinkCodec.write(answer));
      }
      case ToEdge.Value(var stream, var inner) -> {
        out.number(stream);
        LinkCodec.write(inner, out);
      }
      case ToEdge.State(var stream, var state, var proof) -> {
        out.number(stream);
        out.optionalText(state);
        out.text(proof);
      }
      case ToEdge.WindowUpdate(var stream, var bytes) -> {
        out.number(stream);
        out.number(bytes);
      }
    }
    return out.toByteArray();
  }

  private static int kind(ToEdge value) {
    return switch (value) {
      case ToEdge.Alive _ -> ALIVE;
      case ToEdge.Stopping _ -> STOPPING;
      case ToEdge.Header _ -> 3;
      case ToEdge.Write _ -> 4;
      case ToEdge.WriteStanza _ -> 5;
      case ToEdge.StartTls _ -> 6;
      case ToEdge.Restart _ -> 7;
      case ToEdge.Authenticated _ -> 8;
      case ToEdge.Continue _ -> 9;
      case ToEdge.Finish _ -> 10;
      case ToEdge.TakeOver _ -> 11;
      case ToEdge.Value _ -> VALUE;
      case ToEdge.WindowUpdate _ -> 13;
      case ToEdge.State _ -> 14;
      case ToEdge.Leaving _ -> LEAVING;
      case ToEdge.Banned _ -> LAST_FOR_EDGE;
    };
  }

  /// The value of these bytes.
  ///
  /// @throws LinkFormatException if they are none
  public ToEdge readToEdge(byte[] bytes) throws LinkFormatException {
    LinkInput in = open(bytes);
    ToEdge value =
        switch (in.octet()) {
          case 1 -> new ToEdge.Alive();
          case 2 -> new ToEdge.Stopping();
          case 3 -> new ToEdge.Header(in.number(), opening(in));
          case 4 -> new ToEdge.Write(in.number(), in.element());
          case 5 -> new ToEdge.WriteStanza(in.number(), in.stanza());
          case 6 -> new ToEdge.StartTls(in.number());
          case 7 -> new ToEdge.Restart(in.number());
          case 8 -> new ToEdge.Authenticated(in.number(), EdgeLimits.read(in));
          case 9 -> new ToEdge.Continue(in.number());
          case 10 -> new ToEdge.Finish(in.number());
          case 11 ->
              new ToEdge.TakeOver(in.number(), in.jid(), in.text(), in.optionalText(), answer(in));
          case 12 -> new ToEdge.Value(in.number(), values.readToStream(in));
          case 13 -> new ToEdge.WindowUpdate(in.number(), in.number());
          case 14 -> new ToEdge.State(in.number(), in.optionalText(), in.text());
          case 15 -> new ToEdge.Leaving(in.flag());
          case 16 -> new ToEdge.Banned(in.text().lines().toList());
          default -> throw new LinkFormatException("an unknown kind of value");
        };
    in.end();
    return value;
  }

  /// The bytes of what takes the place of a value that is too large ([LinkCodec#instead]).
  ///
  /// @param frame the bytes of the value
  public static byte[] instead(ToEdge value, byte[] frame) {
    if (value instanceof ToEdge.Value(var stream, var inner)) {
      return write(new ToEdge.Value(stream, LinkCodec.instead(inner)));
    }
    try {
      return write(instead(frame));
    } catch (LinkFormatException e) {
      throw new IllegalStateException("a value without a stream is small", e);
    }
  }

  /// Whether the other side would not accept it.
  public boolean isTooLong(byte[] frame) {
    return frame.length > maxBytes;
  }

  /// What takes the place of a value for an edge that cannot be read: another value for the same
  /// stream.
  ///
  /// @throws LinkFormatException if it is for no stream
  static ToEdge.Value instead(byte[] frame) throws LinkFormatException {
    LinkInput in = head(frame);
    int kind = in.octet();
    if (kind <= STOPPING || kind >= LEAVING) {
      throw new LinkFormatException("for no stream");
    }
    long stream = in.number();
    return new ToEdge.Value(stream, kind == VALUE ? LinkCodec.instead(in) : LinkCodec.FAILURE);
  }

  /// The stream that a value for a core is for, which cannot be read.
  ///
  /// @throws LinkFormatException if it is for none
  public static long streamOf(byte[] frame) throws LinkFormatException {
    LinkInput in = head(frame);
    int kind = in.octet();
    if (kind <= ALIVE || kind >= LAST_FOR_CORE) {
      throw new LinkFormatException("for no stream");
    }
    return in.number();
  }

  private static LinkInput head(byte[] frame) throws LinkFormatException {
    LinkInput in = new LinkInput(frame);
    if (in.octet() != VERSION) {
      throw new LinkFormatException("another version");
    }
    return in;
  }

  private ToStream answer(LinkInput in) throws LinkFormatException {
    ToStream answer = values.readToStream(in.bytes());
    if (answer instanceof ToStream.Bound || answer instanceof ToStream.Resumed) {
      return answer;
    }
    throw new LinkFormatException("neither bound nor resumed");
  }

  private static void writeOpening(StreamOpening opening, LinkOutput out) {
    out.text(opening.namespace());
    writeOptional(opening.from(), out);
    writeOptional(opening.to(), out);
    out.optionalText(opening.id());
    out.text(opening.lang());
    out.flag(opening.versioned());
    out.number(opening.prefixes().size());
    new TreeMap<>(opening.prefixes())
        .forEach((prefix, name) -> {
          out.text(prefix);
          out.text(name);
        });
  }

  private static void writeOptional(@Nullable Jid jid, LinkOutput out) {
    out.flag(jid != null);
    if (jid != null) {
      out.jid(jid);
    }
  }

  private static StreamOpening opening(LinkInput in) throws LinkFormatException {
    String namespace = in.text();
    Jid from = in.flag() ? in.jid() : null;
    Jid to = in.flag() ? in.jid() : null;
    String id = in.optionalText();
    String lang = in.text();
    boolean versioned = in.flag();
    Map<String, String> prefixes = new HashMap<>();
    for (int left = count(in); left > 0; left--) {
      prefixes.put(in.text(), in.text());
    }
    return new StreamOpening(namespace, from, to, id, lang, versioned, prefixes);
  }

  private LinkInput open(byte[] bytes) throws LinkFormatException {
    if (bytes.length > maxBytes) {
      throw new LinkFormatException("longer than a value may be");
    }
    return head(bytes);
  }
}
