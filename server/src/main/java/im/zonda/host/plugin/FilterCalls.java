package im.zonda.host.plugin;

import im.zonda.hook.MessageFilter;
import im.zonda.hook.PresenceFilter;
import im.zonda.hook.RoomMessageFilter;
import im.zonda.hook.Verdict;
import im.zonda.host.plugin.guard.Held;
import im.zonda.jid.Jid;
import im.zonda.journal.Reason;
import im.zonda.plugin.Decision;
import im.zonda.plugin.FilterPoint;
import im.zonda.plugin.Filtered;
import im.zonda.plugin.StanzaFilter;
import im.zonda.session.Home;
import im.zonda.session.Session;
import im.zonda.stanza.Message;
import im.zonda.stanza.Presence;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaError;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Filters of plugins as filters of a host.
final class FilterCalls {
  private FilterCalls() {}

  /// A filter of messages of accounts.
  record Messages(
      RunningPlugin plugin, Jid host, FilterPoint point, Held<StanzaFilter<Message>> filter)
      implements MessageFilter {
    @Override
    public Verdict filter(Message message, Home home, @Nullable Session session) {
      return ask(
          plugin, filter, "messages", new Filtered<>(message, point, host.domain(), home.jid()));
    }

    @Override
    public boolean mayBlock() {
      return plugin.guard().blocks();
    }
  }

  /// A filter of presence.
  record Presences(
      RunningPlugin plugin, Jid host, FilterPoint point, Held<StanzaFilter<Presence>> filter)
      implements PresenceFilter {
    @Override
    public Verdict filter(Presence presence, Home home, @Nullable Session session) {
      return ask(
          plugin, filter, "presence", new Filtered<>(presence, point, host.domain(), home.jid()));
    }

    @Override
    public boolean mayBlock() {
      return plugin.guard().blocks();
    }
  }

  /// A filter of messages in rooms.
  record Rooms(RunningPlugin plugin, Jid host, Held<StanzaFilter<Message>> filter)
      implements RoomMessageFilter {
    @Override
    public Verdict filter(Message message, Jid room) {
      return ask(
          plugin,
          filter,
          "messages",
          new Filtered<>(message, FilterPoint.ROOM, host.domain(), room));
    }

    @Override
    public boolean mayBlock() {
      return plugin.guard().blocks();
    }
  }

  /// Asks a filter; the stanza passes if there is no answer.
  static <S extends Stanza> Verdict ask(
      RunningPlugin plugin, Held<StanzaFilter<S>> filter, String what, Filtered<S> passing) {
    Verdict verdict =
        plugin.guard().call(filter, what, asked -> verdict(passing, asked.filter(passing)));
    return verdict == null ? Verdict.pass() : verdict;
  }

  private static <S extends Stanza> Verdict verdict(
      Filtered<S> passing, @Nullable Decision<S> decision) {
    return switch (decision) {
      case null -> throw new IllegalStateException("a filter has decided nothing");
      case Decision.Pass<S>() -> Verdict.pass();
      case Decision.Replace<S>(S stanza) -> Verdict.replace(checked(passing.stanza(), stanza));
      case Decision.Reject<S>(var condition, String text) -> {
        StanzaError error = StanzaError.of(condition);
        yield new Verdict.Refuse(text == null ? error : error.withText(text));
      }
      case Decision.Drop<S>() -> new Verdict.Drop(Reason.MODULE);
    };
  }

  /// Another stanza in place of one, which keeps its addresses.
  private static Stanza checked(Stanza before, Stanza after) {
    if (!Objects.equals(before.id(), after.id()) || !isSameType(before, after)) {
      throw new IllegalStateException("a filter has changed the id or the type of a stanza");
    }
    return after.withAddresses(before.from(), before.to());
  }

  private static boolean isSameType(Stanza before, Stanza after) {
    if (before instanceof Message one && after instanceof Message other) {
      return one.type() == other.type();
    }
    return before instanceof Presence one
        && after instanceof Presence other
        && one.type() == other.type();
  }
}
