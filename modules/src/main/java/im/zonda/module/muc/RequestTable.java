package im.zonda.module.muc;

import im.zonda.stanza.Iq;
import im.zonda.xml.QName;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Who answers which IQ requests to rooms and to their service, and which features go with that.
/// Filled while the module is installed.
final class RequestTable {
  private record Key(Iq.Type type, QName payload) {}

  private final Map<Key, RoomRequest> rooms = new HashMap<>();
  private final Map<Key, ServiceRequest> service = new HashMap<>();
  private final Set<String> roomFeatures = new TreeSet<>();
  private final Map<String, Predicate<RoomConfig>> featuresOfSome = new HashMap<>();
  private final Set<String> serviceFeatures = new TreeSet<>();

  /// Requests to rooms.
  RequestTable room(Iq.Type type, QName payload, RoomRequest request) {
    if (rooms.put(new Key(type, payload), request) != null) {
      throw new IllegalStateException("two answers to " + payload);
    }
    return this;
  }

  /// Requests to the service.
  RequestTable service(Iq.Type type, QName payload, ServiceRequest request) {
    if (service.put(new Key(type, payload), request) != null) {
      throw new IllegalStateException("two answers to " + payload);
    }
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
    return rooms.get(new Key(type, payload));
  }

  @Nullable ServiceRequest forService(Iq.Type type, QName payload) {
    return service.get(new Key(type, payload));
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

  Set<String> roomFeatures() {
    return roomFeatures;
  }

  Set<String> serviceFeatures() {
    return serviceFeatures;
  }
}
