package im.zonda.module.muc.stanza;

import im.zonda.jid.Jid;
import im.zonda.module.muc.room.RoomConfig;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.xml.QName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Who answers which IQ requests to rooms and to their service, who takes which messages to a room
/// itself, and which features go with that. Filled while the module is installed.
public final class RequestTable {
  private record Key(Iq.Type type, QName payload) {}

  private final Map<Key, RoomRequest> rooms = new HashMap<>();
  private final Map<Key, ServiceRequest> service = new HashMap<>();
  private final Map<QName, RoomMessage> messages = new HashMap<>();
  private @Nullable RoomMessage returned;
  private final List<RoomInfo> infos = new ArrayList<>();
  private final Set<String> roomFeatures = new TreeSet<>();
  private final Map<String, Predicate<RoomConfig>> featuresOfSome = new HashMap<>();
  private final Set<String> serviceFeatures = new TreeSet<>();

  /// Requests to rooms.
  public RequestTable room(Iq.Type type, QName payload, RoomRequest request) {
    if (rooms.put(new Key(type, payload), request) != null) {
      throw new IllegalStateException("two answers to " + payload);
    }
    return this;
  }

  /// Requests to the service.
  public RequestTable service(Iq.Type type, QName payload, ServiceRequest request) {
    if (service.put(new Key(type, payload), request) != null) {
      throw new IllegalStateException("two answers to " + payload);
    }
    return this;
  }

  /// Messages to a room itself that are no groupchat.
  public RequestTable message(QName payload, RoomMessage taker) {
    if (messages.put(payload, taker) != null) {
      throw new IllegalStateException("two who take " + payload);
    }
    return this;
  }

  /// Errors to a room itself; must not block.
  public RequestTable returned(RoomMessage taker) {
    if (returned != null) {
      throw new IllegalStateException("two who take what comes back");
    }
    returned = taker;
    return this;
  }

  /// Every room's information form holds this too.
  public RequestTable info(RoomInfo info) {
    infos.add(info);
    return this;
  }

  /// Every room's information names this namespace.
  public RequestTable roomFeature(String namespace) {
    roomFeatures.add(namespace);
    return this;
  }

  /// The information of rooms that are configured so names this namespace.
  public RequestTable roomFeature(String namespace, Predicate<RoomConfig> when) {
    featuresOfSome.put(namespace, when);
    return this;
  }

  /// The service's information names this namespace.
  public RequestTable serviceFeature(String namespace) {
    serviceFeatures.add(namespace);
    return this;
  }

  public @Nullable RoomRequest forRoom(Iq.Type type, QName payload) {
    return rooms.get(new Key(type, payload));
  }

  public @Nullable ServiceRequest forService(Iq.Type type, QName payload) {
    return service.get(new Key(type, payload));
  }

  /// Who takes that message to a room itself, or null.
  public @Nullable RoomMessage forMessage(Message message) {
    Jid to = message.to();
    if (to == null || to.resource() != null) {
      return null;
    }
    return switch (message.type()) {
      case ERROR -> returned;
      case NORMAL -> forPayloads(message.payloadNames());
      case CHAT, GROUPCHAT, HEADLINE -> null;
    };
  }

  private @Nullable RoomMessage forPayloads(List<QName> names) {
    for (QName name : names) {
      RoomMessage taker = messages.get(name);
      if (taker != null) {
        return taker;
      }
    }
    return null;
  }

  public List<RoomInfo> infos() {
    return infos;
  }

  /// What the information of a room of that configuration names.
  public Set<String> roomFeatures(RoomConfig config) {
    Set<String> features = new TreeSet<>(roomFeatures);
    featuresOfSome.forEach((namespace, when) -> {
      if (when.test(config)) {
        features.add(namespace);
      }
    });
    return features;
  }

  public Set<String> serviceFeatures() {
    return serviceFeatures;
  }
}
