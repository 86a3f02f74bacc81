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

/// Builds the presence of occupants as the room sends it (XEP-0045, section 7.2.2).
public final class OccupantPresence {
  private OccupantPresence() {}

  /// What has happened to an occupant, for the `<x/>` payload of its presence.
  ///
  /// @param codes status codes, in order (section 15.6.2)
  /// @param nick the new nickname, or null
  /// @param actor the nickname of who caused it, or null
  /// @param reason as given by the actor, or null
  /// @param extra another child of `<x/>`, such as `<destroy/>`, or null
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

    /// Returns a copy with one code before the others.
    Event with(int code) {
      List<Integer> all = new ArrayList<>();
      all.add(code);
      all.addAll(codes);
      return new Event(all, nick, actor, reason, extra);
    }

    /// Returns a copy with another child of `<x/>`.
    public Event with(Element newExtra) {
      return new Event(codes, nick, actor, reason, newExtra);
    }

    public Event by(@Nullable String newActor, @Nullable String newReason) {
      return new Event(codes, nick, newActor, newReason, extra);
    }
  }

  /// Builds available presence of an occupant.
  ///
  /// @param payloads the client's own payloads
  /// @param jid the real JID, or null to hide it
  static Presence available(
      Occupant occupant, Iterable<Element> payloads, @Nullable Jid jid, Event event) {
    return presence(Presence.Type.AVAILABLE, occupant, payloads, jid, event);
  }

  /// Builds unavailable presence of an occupant that has left or has another nickname now.
  static Presence unavailable(
      Occupant occupant, Iterable<Element> payloads, @Nullable Jid jid, Event event) {
    return presence(Presence.Type.UNAVAILABLE, occupant, payloads, jid, event);
  }

  private static Presence presence(
      Presence.Type type,
      Occupant occupant,
      Iterable<Element> payloads,
      @Nullable Jid jid,
      Event event) {
    List<Element> all = new ArrayList<>();
    payloads.forEach(all::add);
    all.add(x(occupant, jid, event));
    Element hats = occupant.hats();
    if (hats != null && type == Presence.Type.AVAILABLE) {
      all.add(hats);
    }
    all.add(
        Element.builder(MucNames.OCCUPANT_ID).attribute("id", occupant.id().toString()).build());
    return Presence.of(type, occupant.address(), null, null, all);
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

  /// Returns the payloads of a client's presence without those that only the room may add.
  public static List<Element> clientPayloads(Presence presence) {
    List<Element> payloads = new ArrayList<>();
    for (Element payload : presence.payloads()) {
      if (!isReservedForRoom(payload)) {
        payloads.add(payload);
      }
    }
    return payloads;
  }

  private static boolean isReservedForRoom(Element payload) {
    return switch (payload.name().namespace()) {
      case MucNames.MUC, MucNames.USER, "urn:xmpp:occupant-id:0", Hats.NAMESPACE -> true;
      case "urn:xmpp:sid:0", "urn:xmpp:delay" -> true;
      default -> false;
    };
  }
}
