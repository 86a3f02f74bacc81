package im.zonda.plugins.webhooks;

import im.zonda.jid.Jid;
import im.zonda.plugin.PluginEvent;
import im.zonda.plugins.webhooks.queue.QueuedEvent;
import im.zonda.stanza.Message;
import im.zonda.stanza.Presence;
import im.zonda.stanza.Stanza;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// An event as JSON, in the format of the README.
///
/// @param kind its kind
/// @param room the bare address of the room, for events of rooms
/// @param isText false for a message without body and subject, such as a receipt
record EventJson(PluginEvent event, EventKind kind, @Nullable Jid room, boolean isText) {
  /// Always with milliseconds, which not every parser can do without.
  static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private static final String CLIENT = "jabber:client";
  private static final QName BODY = new QName(CLIENT, "body");
  private static final QName SUBJECT = new QName(CLIENT, "subject");
  private static final QName SHOW = new QName(CLIENT, "show");
  private static final QName STATUS = new QName(CLIENT, "status");

  /// Looks at an event.
  ///
  /// @return null for a kind of which this version does not know
  static @Nullable EventJson of(PluginEvent event) {
    return switch (event) {
      case PluginEvent.SessionStarted _ ->
          new EventJson(event, EventKind.SESSION_STARTED, null, true);
      case PluginEvent.SessionEnded _ -> new EventJson(event, EventKind.SESSION_ENDED, null, true);
      case PluginEvent.PresenceChanged _ -> new EventJson(event, EventKind.PRESENCE, null, true);
      case PluginEvent.MessageSent sent ->
          new EventJson(event, EventKind.MESSAGE_SENT, null, isText(sent.message()));
      case PluginEvent.MessageDelivered delivered ->
          new EventJson(event, EventKind.MESSAGE_DELIVERED, null, isText(delivered.message()));
      case PluginEvent.RoomCreated created ->
          new EventJson(event, EventKind.ROOM_CREATED, created.room().bare(), true);
      case PluginEvent.RoomRemoved removed ->
          new EventJson(event, EventKind.ROOM_REMOVED, removed.room().bare(), true);
      case PluginEvent.RoomEntered entered ->
          new EventJson(event, EventKind.ROOM_ENTERED, entered.occupant().bare(), true);
      case PluginEvent.RoomLeft left ->
          new EventJson(event, EventKind.ROOM_LEFT, left.occupant().bare(), true);
      case PluginEvent.RoomMessage said ->
          new EventJson(
              event, EventKind.ROOM_MESSAGE, bare(said.message().from()), isText(said.message()));
      default -> null;
    };
  }

  private static @Nullable Jid bare(@Nullable Jid address) {
    return address == null ? null : address.bare();
  }

  private static boolean isText(Message message) {
    return message.hasBody() || message.has(SUBJECT);
  }

  /// The JSON object.
  ///
  /// @param id the identifier, the same for all targets
  byte[] bytes(String id, Contents contents) {
    byte[] bytes = object(id, contents).bytes();
    return bytes.length <= QueuedEvent.MOST_BYTES
        ? bytes
        : object(id, Contents.NONE).withTrue("truncated").bytes();
  }

  private JsonObject object(String id, Contents contents) {
    JsonObject json =
        new JsonObject()
            .with("id", id)
            .with("time", TIME.format(event.time()))
            .with("host", event.host())
            .with("kind", kind.word());
    switch (event) {
      case PluginEvent.SessionStarted started -> json.with("session", text(started.session()));
      case PluginEvent.SessionEnded ended -> json.with("session", text(ended.session()));
      case PluginEvent.PresenceChanged changed -> presence(json, changed.presence(), contents);
      case PluginEvent.MessageSent sent -> message(json, sent.message(), contents);
      case PluginEvent.MessageDelivered delivered -> {
        message(json, delivered.message(), contents);
        json.with("sessions", delivered.sessions());
      }
      case PluginEvent.RoomCreated created ->
          json.with("room", text(created.room())).with("user", text(created.by()));
      case PluginEvent.RoomRemoved removed -> json.with("room", text(removed.room()));
      case PluginEvent.RoomEntered entered -> occupant(json, entered.occupant(), entered.user());
      case PluginEvent.RoomLeft left -> occupant(json, left.occupant(), left.user());
      case PluginEvent.RoomMessage said -> {
        occupant(json, said.message().from(), said.user());
        message(json, said.message(), contents);
      }
      default -> {}
    }
    return json;
  }

  private static @Nullable String text(@Nullable Jid address) {
    return address == null ? null : address.toString();
  }

  private static void occupant(JsonObject json, @Nullable Jid occupant, @Nullable Jid user) {
    if (occupant != null) {
      json.with("room", text(occupant.bare())).with("nick", occupant.resource());
    }
    json.with("user", text(user));
  }

  private static void message(JsonObject json, Message message, Contents contents) {
    addresses(json, message, message.type().name());
    json.with("message", message.id());
    if (contents != Contents.NONE) {
      json.with("subject", text(message, SUBJECT)).with("body", text(message, BODY));
    }
    stanza(json, message, contents);
  }

  private static void presence(JsonObject json, Presence presence, Contents contents) {
    addresses(json, presence, presence.type().name());
    json.with("show", text(presence, SHOW)).with("priority", presence.priority());
    if (contents != Contents.NONE) {
      json.with("status", text(presence, STATUS));
    }
    stanza(json, presence, contents);
  }

  private static void addresses(JsonObject json, Stanza stanza, String type) {
    json.with("from", text(stanza.from()))
        .with("to", text(stanza.to()))
        .with("type", type.toLowerCase(Locale.ROOT));
  }

  private static void stanza(JsonObject json, Stanza stanza, Contents contents) {
    if (contents == Contents.STANZA) {
      json.with("xml", stanza.toElement().toString());
    }
  }

  private static @Nullable String text(Stanza stanza, QName name) {
    Element payload = stanza.payload(name);
    return payload == null ? null : payload.text();
  }

  /// Without contents.
  @Override
  public String toString() {
    return "event " + kind.word();
  }
}
