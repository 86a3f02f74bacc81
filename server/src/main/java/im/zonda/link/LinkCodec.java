package im.zonda.link;

import im.zonda.jid.Jid;
import im.zonda.session.ClientConnection;
import im.zonda.session.ClientNetwork;
import im.zonda.session.UserAgent;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.ReplacementStanza;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StreamErrorCondition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The binary form of the values of a link: a byte for the version, a byte for the kind, the
/// fields. Stanzas and elements are their XML. Bytes that are no value, or that are longer than the
/// bound, are rejected with a [LinkFormatException].
///
/// A node of this version rejects kinds that it does not know, and skips fields that a later
/// version has added ([LinkInput#skipAdded]). So a value that gets a field keeps its kind, and the
/// field is added behind; otherwise the nodes of a cluster could not be upgraded one after another.
public final class LinkCodec {
  /// What surrounds a stanza, and more than most values have.
  private static final int AROUND = 32;

  private static final int VERSION = 1;

  /// The field of [ToSession.Resume] with the count of handled stanzas, which a keeper of a former
  /// version does not send.
  private static final int HANDLED = 1;

  /// The kind of [ToStream.Deliver].
  private static final int DELIVER = 9;

  /// In place of a value that is no stanza.
  public static final ToStream FAILURE =
      new ToStream.Close(StreamErrorCondition.INTERNAL_SERVER_ERROR, null);

  private final int maxBytes;

  /// @param maxBytes the most bytes of one value: a stanza of the largest size must fit
  public LinkCodec(int maxBytes) {
    this.maxBytes = maxBytes;
  }

  // ---- stream to session

  /// The bytes of a value.
  public static byte[] write(ToSession value) {
    LinkOutput out = new LinkOutput(VERSION, kind(value), size(value));
    writeFields(value, out);
    return out.toByteArray();
  }

  /// Writes a value as the last field of another one.
  public static void write(ToSession value, LinkOutput out) {
    out.begin(VERSION, kind(value));
    writeFields(value, out);
  }

  /// About how many bytes a value has.
  public static int size(ToSession value) {
    return switch (value) {
      case ToSession.Received(var stanza, var _) -> AROUND + stanza.writtenSize();
      case ToSession.Recover(var lost) ->
          lost.unacknowledged().stream()
              .mapToInt(each -> AROUND + each.stanza().writtenSize())
              .reduce(lost.state().length() + 8 * AROUND, Integer::sum);
      default -> 2 * AROUND;
    };
  }

  private static void writeFields(ToSession value, LinkOutput out) {
    switch (value) {
      case ToSession.Bind bind -> writeBind(bind, out);
      case ToSession.Resume(var account, var id, var h, var _, var version) -> {
        out.jid(account);
        out.text(id);
        out.number(h);
        if (version != null) {
          out.number(version.resumptions());
          out.number(version.sent());
          out.added(HANDLED, version.handled());
        }
      }
      case ToSession.Enable(var resumable) -> out.flag(resumable);
      case ToSession.Received(var stanza, var number) -> {
        out.number(number);
        out.lastStanza(stanza);
      }
      case ToSession.HandledByStream(var number, var reply) -> {
        out.number(number);
        out.flag(reply != null);
        if (reply != null) {
          out.stanza(reply);
        }
      }
      case ToSession.Acknowledged(var h) -> out.number(h);
      case ToSession.Written(var number) -> out.number(number);
      case ToSession.Active(var active) -> out.flag(active);
      case ToSession.EnablingOver() -> {}
      case ToSession.Lost() -> {}
      case ToSession.Ended() -> {}
      case ToSession.Recover(var session) -> writeLost(session, out);
    }
  }

  private static int kind(ToSession value) {
    return switch (value) {
      case ToSession.Bind bind -> bind.from() == null ? 1 : 15;
      case ToSession.Resume resume -> resume.version() == null ? 2 : 14;
      case ToSession.Enable _ -> 3;
      case ToSession.Received _ -> 4;
      case ToSession.HandledByStream _ -> 5;
      case ToSession.Acknowledged _ -> 6;
      case ToSession.Written _ -> 7;
      case ToSession.Active _ -> 8;
      case ToSession.EnablingOver _ -> 9;
      case ToSession.Lost _ -> 10;
      case ToSession.Ended _ -> 11;
      case ToSession.Recover _ -> 12;
    };
  }

  private static void writeLost(LostSession session, LinkOutput out) {
    out.jid(session.jid());
    out.text(session.state());
    out.text(session.id());
    out.number(session.counts().handled());
    out.number(session.counts().acknowledged());
    writeIds(session.lastIds(), out);
    out.number(session.unacknowledged().size());
    for (LostSession.Sent sent : session.unacknowledged()) {
      out.number(sent.age().toMillis());
      out.stanza(sent.stanza());
    }
  }

  /// Writes [LostSession#lastIds].
  public static void writeIds(Map<Jid, String> ids, LinkOutput out) {
    out.number(ids.size());
    ids.forEach((by, id) -> {
      out.jid(by);
      out.text(id);
    });
  }

  /// Reads what [#writeIds] has written.
  public static Map<Jid, String> ids(LinkInput in) throws LinkFormatException {
    Map<Jid, String> ids = new HashMap<>();
    for (long left = in.number(); left > 0; left--) {
      ids.put(in.jid(), in.text());
    }
    return ids;
  }

  private static LostSession lost(LinkInput in) throws LinkFormatException {
    Jid jid = in.jid();
    String state = in.text();
    String id = in.text();
    LostSession.Counts counts = new LostSession.Counts(in.number(), in.number());
    Map<Jid, String> lastIds = ids(in);
    List<LostSession.Sent> sent = new ArrayList<>();
    for (long left = in.number(); left > 0; left--) {
      Duration age = Duration.ofMillis(in.number());
      sent.add(new LostSession.Sent(in.stanza(), age));
    }
    return new LostSession(jid, state, id, counts, lastIds, sent);
  }

  private static void writeBind(ToSession.Bind bind, LinkOutput out) {
    out.jid(bind.account());
    out.optionalText(bind.resource());
    ClientNetwork guest = bind.guest();
    out.optionalText(guest == null ? null : guest.text());
    ToSession.Inline inline = bind.inline();
    out.flag(inline != null);
    if (inline != null) {
      out.optionalText(inline.userAgent().id());
      out.optionalText(inline.userAgent().software());
      out.optionalText(inline.userAgent().device());
      out.element(inline.request());
      out.text(inline.management().name());
      out.flag(inline.inactive());
    }
    ClientConnection from = bind.from();
    if (from != null) {
      out.text(from.address());
      out.optionalText(from.tls());
    }
  }

  /// The value of these bytes.
  ///
  /// @throws LinkFormatException if they are none
  public ToSession readToSession(byte[] bytes) throws LinkFormatException {
    return readToSession(new LinkInput(bytes));
  }

  /// @param counted whether it says how many stanzas the client has been sent, which a keeper of a
  ///   former version does not
  private static ToSession.Resume resume(LinkInput in, boolean counted) throws LinkFormatException {
    return new ToSession.Resume(
        in.jid(),
        in.text(),
        in.number(),
        false,
        new SessionVersion(in.number(), counted ? in.number() : 0, in.added(HANDLED)));
  }

  /// The value that is the last field of another one.
  ///
  /// @throws LinkFormatException if there is none
  public ToSession readToSession(LinkInput in) throws LinkFormatException {
    open(in);
    ToSession value =
        switch (in.octet()) {
          case 1 -> bind(in, false);
          case 2 -> new ToSession.Resume(in.jid(), in.text(), in.number());
          case 3 -> new ToSession.Enable(in.flag());
          case 4 -> {
            long number = in.number();
            yield new ToSession.Received(in.lastStanza(), number);
          }
          case 5 -> new ToSession.HandledByStream(in.number(), optionalStanza(in));
          case 6 -> new ToSession.Acknowledged(in.number());
          case 7 -> new ToSession.Written(in.number());
          case 8 -> new ToSession.Active(in.flag());
          case 9 -> new ToSession.EnablingOver();
          case 10 -> new ToSession.Lost();
          case 11 -> new ToSession.Ended();
          case 12 -> new ToSession.Recover(lost(in));
          case 13 -> resume(in, false);
          case 14 -> resume(in, true);
          case 15 -> bind(in, true);
          default -> throw new LinkFormatException("an unknown kind of value");
        };
    in.skipAdded();
    return value;
  }

  /// @param from whether it says from where the client binds, which a stream of a former version
  ///   does not
  private static ToSession.Bind bind(LinkInput in, boolean from) throws LinkFormatException {
    Jid account = in.jid();
    String resource = in.optionalText();
    ClientNetwork guest = network(in.optionalText());
    ToSession.Inline inline = inline(in);
    ClientConnection connection = from ? new ClientConnection(in.text(), in.optionalText()) : null;
    return new ToSession.Bind(account, resource, inline, guest, connection);
  }

  private static @Nullable ClientNetwork network(@Nullable String text) throws LinkFormatException {
    try {
      return text == null ? null : ClientNetwork.parse(text);
    } catch (IllegalArgumentException e) {
      throw new LinkFormatException("not a network", e);
    }
  }

  private static ToSession.@Nullable Inline inline(LinkInput in) throws LinkFormatException {
    if (!in.flag()) {
      return null;
    }
    UserAgent agent = new UserAgent(in.optionalText(), in.optionalText(), in.optionalText());
    return new ToSession.Inline(
        agent, in.element(), in.constant(ToSession.Management.class), in.flag());
  }

  private static @Nullable Stanza optionalStanza(LinkInput in) throws LinkFormatException {
    return in.flag() ? in.stanza() : null;
  }

  // ---- session to stream

  /// The bytes of a value.
  public static byte[] write(ToStream value) {
    LinkOutput out = new LinkOutput(VERSION, kind(value), size(value));
    writeFields(value, out);
    return out.toByteArray();
  }

  /// Writes a value as the last field of another one.
  public static void write(ToStream value, LinkOutput out) {
    out.begin(VERSION, kind(value));
    writeFields(value, out);
  }

  /// About how many bytes a value has.
  public static int size(ToStream value) {
    return AROUND
        + (value instanceof ToStream.Deliver(var s, var _, var _, var _)
            ? s.writtenSize()
            : AROUND);
  }

  private static void writeFields(ToStream value, LinkOutput out) {
    switch (value) {
      case ToStream.Bound(var jid, var answers, var enabled) -> {
        out.jid(jid);
        out.number(answers.size());
        answers.forEach(out::element);
        out.flag(enabled != null);
        if (enabled != null) {
          writeEnabled(enabled, out);
        }
      }
      case ToStream.NotBound(var condition) -> out.text(condition.name());
      case ToStream.Enabled enabled -> writeEnabled(enabled, out);
      case ToStream.NotEnabled() -> {}
      case ToStream.Resumed(var jid, var handled, var acknowledged, var resumptions) -> {
        out.jid(jid);
        out.number(handled);
        out.number(acknowledged);
        if (resumptions != 0) {
          out.number(resumptions);
        }
      }
      case ToStream.SessionNotFound(var handled) -> {
        out.flag(handled != null);
        if (handled != null) {
          out.number(handled);
        }
      }
      case ToStream.Unsettled() -> {}
      case ToStream.CountTooHigh(var sent) -> out.number(sent);
      case ToStream.Deliver(var stanza, var number, var report, var _) -> {
        out.number(number);
        out.flag(report);
        out.lastStanza(stanza);
      }
      case ToStream.Handled(var h) -> out.number(h);
      case ToStream.PauseReading() -> {}
      case ToStream.ResumeReading() -> {}
      case ToStream.Close(var condition, var text) -> {
        out.text(condition.name());
        out.optionalText(text);
      }
      case ToStream.State(var state) -> out.text(state);
      case ToStream.Moved() -> {}
    }
  }

  private static int kind(ToStream value) {
    return switch (value) {
      case ToStream.Bound _ -> 1;
      case ToStream.NotBound _ -> 2;
      case ToStream.Enabled _ -> 3;
      case ToStream.NotEnabled _ -> 4;
      case ToStream.Resumed resumed -> resumed.resumptions() == 0 ? 5 : 16;
      case ToStream.SessionNotFound _ -> 6;
      case ToStream.Unsettled _ -> 7;
      case ToStream.CountTooHigh _ -> 8;
      case ToStream.Deliver _ -> DELIVER;
      case ToStream.Handled _ -> 10;
      case ToStream.PauseReading _ -> 11;
      case ToStream.ResumeReading _ -> 12;
      case ToStream.Close _ -> 13;
      case ToStream.State _ -> 14;
      case ToStream.Moved _ -> 15;
    };
  }

  private static void writeEnabled(ToStream.Enabled enabled, LinkOutput out) {
    out.optionalText(enabled.id());
    out.number(enabled.max().toSeconds());
  }

  /// The value of these bytes.
  ///
  /// @throws LinkFormatException if they are none
  public ToStream readToStream(byte[] bytes) throws LinkFormatException {
    return readToStream(new LinkInput(bytes));
  }

  /// The value that is the last field of another one.
  ///
  /// @throws LinkFormatException if there is none
  public ToStream readToStream(LinkInput in) throws LinkFormatException {
    open(in);
    ToStream value =
        switch (in.octet()) {
          case 1 -> new ToStream.Bound(in.jid(), in.elements(), in.flag() ? enabled(in) : null);
          case 2 -> new ToStream.NotBound(in.constant(ErrorCondition.class));
          case 3 -> enabled(in);
          case 4 -> new ToStream.NotEnabled();
          case 5 -> new ToStream.Resumed(in.jid(), in.number(), in.number());
          case 6 -> new ToStream.SessionNotFound(in.flag() ? Long.valueOf(in.number()) : null);
          case 7 -> new ToStream.Unsettled();
          case 8 -> new ToStream.CountTooHigh(in.number());
          case DELIVER -> {
            long number = in.number();
            boolean report = in.flag();
            yield new ToStream.Deliver(in.lastStanza(), number, report);
          }
          case 10 -> new ToStream.Handled(in.number());
          case 11 -> new ToStream.PauseReading();
          case 12 -> new ToStream.ResumeReading();
          case 13 -> new ToStream.Close(in.constant(StreamErrorCondition.class), in.optionalText());
          case 14 -> new ToStream.State(in.text());
          case 15 -> new ToStream.Moved();
          case 16 -> new ToStream.Resumed(in.jid(), in.number(), in.number(), in.positive());
          default -> throw new LinkFormatException("an unknown kind of value");
        };
    in.skipAdded();
    return value;
  }

  /// What takes the place of a value that cannot be read or cannot leave, so that it costs no more
  /// than it must: of a stanza, one that says nothing, because the client counts what it gets
  /// (XEP-0198) and would be sent the stanza again on its next stream; of another value, the end of
  /// the stream.
  public static ToStream instead(ToStream value) {
    return value instanceof ToStream.Deliver(var stanza, var number, var report, var _)
        ? new ToStream.Deliver(ReplacementStanza.of(stanza), number, report)
        : FAILURE;
  }

  /// The same for a value that is the last field of another one and has not been read.
  ///
  /// @throws LinkFormatException if not even that can be read which says what it is
  public static ToStream instead(LinkInput in) throws LinkFormatException {
    if (in.octet() != VERSION) {
      throw new LinkFormatException("an unknown version");
    }
    if (in.octet() != DELIVER) {
      return FAILURE;
    }
    long number = in.number();
    return new ToStream.Deliver(ReplacementStanza.ofAny(), number, in.flag());
  }

  private static ToStream.Enabled enabled(LinkInput in) throws LinkFormatException {
    String id = in.optionalText();
    try {
      return new ToStream.Enabled(id, Duration.ofSeconds(in.number()));
    } catch (ArithmeticException e) {
      throw new LinkFormatException("a time that is too long", e);
    }
  }

  private void open(LinkInput in) throws LinkFormatException {
    if (in.left() > maxBytes) {
      throw new LinkFormatException("more than " + maxBytes + " bytes");
    }
    if (in.octet() != VERSION) {
      throw new LinkFormatException("an unknown version");
    }
  }
}
