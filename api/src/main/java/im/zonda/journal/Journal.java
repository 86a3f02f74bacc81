package im.zonda.journal;

import im.zonda.jid.Jid;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.stanza.Presence;
import im.zonda.stanza.Stanza;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Record of the stanzas that were not delivered as usual. A port. Any thread may call; nothing
/// blocks. Under load entries are dropped and counted.
@FunctionalInterface
public interface Journal {
  /// Records nothing.
  Journal NONE = _ -> {};

  /// A decision on a stanza; nothing of it has contents.
  ///
  /// @param sender who has sent the stanza, or null
  /// @param receiver whom it was for, or null
  /// @param kind the kind of stanza, such as `chat` or `presence`
  /// @param stanza the `id` of the stanza, or null
  /// @param identity by which all nodes recognise the stanza (`Origin.identity()`), or 0
  /// @param detail what takes the place of `{detail}` in the text of the reason, or null
  record Entry(
      Place place,
      Reason reason,
      @Nullable Jid sender,
      @Nullable Jid receiver,
      String kind,
      @Nullable String stanza,
      long identity,
      @Nullable String detail) {
    /// A decision on a stanza. A stanza error stands for the stanza that it answers.
    public static Entry of(Place place, Reason reason, Stanza stanza) {
      boolean error = stanza.isError();
      return new Entry(
          place,
          reason,
          error ? stanza.to() : stanza.from(),
          error ? stanza.from() : stanza.to(),
          kind(stanza),
          stanza.id(),
          0,
          null);
    }

    private static String kind(Stanza stanza) {
      return switch (stanza) {
        case Message message ->
            message.isError() ? "message" : message.type().name().toLowerCase(Locale.ROOT);
        case Presence _ -> "presence";
        case Iq _ -> "iq";
      };
    }

    /// The same of that sender.
    public Entry from(@Nullable Jid other) {
      return new Entry(place, reason, other, receiver, kind, stanza, identity, detail);
    }

    /// The same for that receiver.
    public Entry to(@Nullable Jid other) {
      return new Entry(place, reason, sender, other, kind, stanza, identity, detail);
    }

    /// The same with that identity.
    public Entry withIdentity(long other) {
      return new Entry(place, reason, sender, receiver, kind, stanza, other, detail);
    }

    /// The same with that detail.
    public Entry withDetail(@Nullable String other) {
      return new Entry(place, reason, sender, receiver, kind, stanza, identity, other);
    }
  }

  /// Records a decision.
  void record(Entry entry);
}
