package im.zonda.module.muc.stanza;

import im.zonda.jid.Jid;
import im.zonda.module.muc.room.Hats;
import im.zonda.module.muc.room.MucNames;
import im.zonda.module.muc.room.Occupant;
import im.zonda.stanza.Presence;
import im.zonda.xml.Element;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Writes the presence of occupants as others see it (XEP-0045, section 7.2.2).
public final class OccupantPresence {
  private OccupantPresence() {}

  /// What happened, as the `<x/>` of an occupant's presence tells it.
  ///
  /// @param codes status codes, in order (section 15.6.2)
  /// @param nick the new nickname, or null
  /// @param actor the nickname of who did it, or null
  /// @param reason in words of who did it, or null
  /// @param extra what else stands in the `<x/>`, such as `<destroy/>`; or null
  public record Event(
      List<Integer> codes,
      @Nullable String nick,
      @Nullable String actor,
      @Nullable String reason,
      @Nullable Element extra) {
    public static final Event NONE = new Event(List.of(), null, null, null, null);

    public Event {
      codes = List.copyOf(codes);
    }

    public static Event of(int... codes) {
      List<Integer> all = new ArrayList<>();
      for (int code : codes) {
        all.add(code);
      }
      return new Event(all, null, null, null, null);
    }

    /// The same with one code before the others.
    Event with(int code) {
      List<Integer> all = new ArrayList<>();
      all.add(code);
      all.addAll(codes);
      return new Event(all, nick, actor, reason, extra);
    }

    /// The same with that in the `<x/>`.
    Event with(Element newExtra) {
      return new Event(codes, nick, actor, reason, newExtra);
    }

    public Event by(@Nullable String newActor, @Nullable String newReason) {
      return new Event(codes, nick, newActor, newReason, extra);
    }
  }

  /// Available presence of an occupant.
  ///
  /// @param said what its client says of itself
  /// @param jid the true address, or null where it is not shown
  static Presence available(
      Occupant occupant, Iterable<Element> said, @Nullable Jid jid, Event event) {
    return presence(Presence.Type.AVAILABLE, occupant, said, jid, event);
  }

  /// Unavailable presence of an occupant that has gone, or has another nickname now.
  static Presence unavailable(
      Occupant occupant, Iterable<Element> said, @Nullable Jid jid, Event event) {
    return presence(Presence.Type.UNAVAILABLE, occupant, said, jid, event);
  }

  private static Presence presence(
      Presence.Type type,
      Occupant occupant,
      Iterable<Element> said,
      @Nullable Jid jid,
      Event event) {
    List<Element> payloads = new ArrayList<>();
    said.forEach(payloads::add);
    payloads.add(x(occupant, jid, event));
    Element hats = occupant.hats();
    if (hats != null && type == Presence.Type.AVAILABLE) {
      payloads.add(hats);
    }
    payloads.add(
        Element.builder(MucNames.OCCUPANT_ID).attribute("id", occupant.id().toString()).build());
    return Presence.of(type, occupant.address(), null, null, payloads);
  }

  private static Element x(Occupant occupant, @Nullable Jid jid, Event event) {
    Element.Builder item =
        Element.builder(MucNames.USER, "item")
            .attribute("affiliation", occupant.affiliation().value())
            .attribute("role", occupant.role().value())
            .attribute("jid", jid == null ? null : jid.toString())
            .attribute("nick", event.nick());
    if (event.actor() != null) {
      item.child(Element.builder(MucNames.USER, "actor").attribute("nick", event.actor()).build());
    }
    if (event.reason() != null) {
      item.child("reason", event.reason());
    }
    Element.Builder x = Element.builder(MucNames.X_USER).child(item.build());
    if (event.extra() != null) {
      x.child(event.extra());
    }
    for (int code : event.codes()) {
      x.child(
          Element.builder(MucNames.USER, "status")
              .attribute("code", Integer.toString(code))
              .build());
    }
    return x.build();
  }

  /// What a client says of itself: all but what only the room may say.
  public static List<Element> said(Presence presence) {
    List<Element> said = new ArrayList<>();
    for (Element payload : presence.payloads()) {
      if (!isRooms(payload)) {
        said.add(payload);
      }
    }
    return said;
  }

  private static boolean isRooms(Element payload) {
    return switch (payload.name().namespace()) {
      case MucNames.MUC, MucNames.USER, "urn:xmpp:occupant-id:0", Hats.NAMESPACE -> true;
      case "urn:xmpp:sid:0", "urn:xmpp:delay" -> true;
      default -> false;
    };
  }
}
