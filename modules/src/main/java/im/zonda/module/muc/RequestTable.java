package im.zonda.module.muc;

import im.zonda.jid.Jid;
import im.zonda.module.IqTable;
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
final class RequestTable {
  private final IqTable<RoomRequest> rooms = new IqTable<>();
  private final IqTable<ServiceRequest> service = new IqTable<>();
  private final Map<QName, RoomMessage> messages = new HashMap<>();
  private @Nullable RoomMessage returned;
  private final List<RoomInfo> infos = new ArrayList<>();
  private final Set<String> roomFeatures = new TreeSet<>();
  private final Map<String, Predicate<RoomConfig>> featuresOfSome = new HashMap<>();
  private final Set<String> serviceFeatures = new TreeSet<>();

  /// Requests to rooms.
  RequestTable room(Iq.Type type, QName payload, RoomRequest request) {
    rooms.add(type, payload, request);
    return this;
  }

  /// Requests to the service.
  RequestTable service(Iq.Type type, QName payload, ServiceRequest request) {
    service.add(type, payload, request);
    return this;
  }

  /// Messages to a room itself that are no groupchat.
  RequestTable message(QName payload, RoomMessage taker) {
    if (messages.put(payload, taker) != null) {
      throw new IllegalStateException("two who take " + payload);
    }
    return this;
  }

  /// Errors to a room itself; must not block.
  RequestTable returned(RoomMessage taker) {
    if (returned != null) {
      throw new IllegalStateException("two who take what comes back");
    }
    returned = taker;
    return this;
  }

  /// Every room's information form holds this too.
  RequestTable info(RoomInfo info) {
    infos.add(info);
    return this;
  }

  /// Every room's information names this namespace.
  RequestTable roomFeature(String namespace) {
    roomFeatures.add(namespace);
    return this;
  }

  /// The information of rooms that are configured so names this namespace.
  RequestTable roomFeature(String namespace, Predicate<RoomConfig> when) {
    featuresOfSome.put(namespace, when);
    return this;
  }

  /// The service's information names this namespace.
  RequestTable serviceFeature(String namespace) {
    serviceFeatures.add(namespace);
    return this;
  }

  @Nullable RoomRequest forRoom(Iq.Type type, QName payload) {
    return rooms.find(type, payload);
  }

  @Nullable ServiceRequest forService(Iq.Type type, QName payload) {
    return service.find(type, payload);
  }

  /// Who takes that message to a room itself, or null.
  @Nullable RoomMessage forMessage(Message message) {
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

  List<RoomInfo> infos() {
    return infos;
  }

  /// What the information of a room of that configuration names.
  Set<String> roomFeatures(RoomConfig config) {
    Set<String> features = new TreeSet<>(roomFeatures);
    featuresOfSome.forEach((namespace, when) -> {
      if (when.test(config)) {
        features.add(namespace);
      }
    });
    return features;
  }

  Set<String> serviceFeatures() {
    return serviceFeatures;
  }
}
