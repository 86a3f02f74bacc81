package im.zonda.module.muc.stanza;

import im.zonda.hook.IqTable;
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

/// The handlers of IQ requests and messages to rooms and to the service, and the features they
/// advertise. Filled while the module is installed.
public final class RequestTable {
  private final IqTable<RoomRequestHandler> rooms = new IqTable<>();
  private final IqTable<AddressRequestHandler> addresses = new IqTable<>();
  private final IqTable<ServiceRequestHandler> service = new IqTable<>();
  private final Map<QName, RoomMessageHandler> messages = new HashMap<>();
  private @Nullable RoomMessageHandler errorHandler;
  private final List<RoomInfoFields> roomInfos = new ArrayList<>();
  private final Set<String> roomFeatures = new TreeSet<>();
  private final Map<String, Predicate<RoomConfig>> conditionalFeatures = new HashMap<>();
  private final Set<String> serviceFeatures = new TreeSet<>();

  /// Adds a handler of IQ requests to rooms.
  public RequestTable onRoomIq(Iq.Type type, QName payload, RoomRequestHandler request) {
    rooms.add(type, payload, request);
    return this;
  }

  /// Adds a handler of IQ requests to addresses of rooms, also of those that do not exist.
  public RequestTable onAddressIq(Iq.Type type, QName payload, AddressRequestHandler request) {
    addresses.add(type, payload, request);
    return this;
  }

  /// Adds a handler of IQ requests to the service.
  public RequestTable onServiceIq(Iq.Type type, QName payload, ServiceRequestHandler request) {
    service.add(type, payload, request);
    return this;
  }

  /// Adds a handler of messages of type `normal` to a room's bare address.
  public RequestTable onRoomMessage(QName payload, RoomMessageHandler handler) {
    if (messages.put(payload, handler) != null) {
      throw new IllegalStateException("two who take " + payload);
    }
    return this;
  }

  /// Sets the handler of errors to a room's bare address, which must not block.
  public RequestTable onRoomError(RoomMessageHandler handler) {
    if (errorHandler != null) {
      throw new IllegalStateException("two who take what comes back");
    }
    errorHandler = handler;
    return this;
  }

  /// Adds fields to the information form of every room.
  public RequestTable addRoomInfo(RoomInfoFields info) {
    roomInfos.add(info);
    return this;
  }

  /// Advertises a feature of every room.
  public RequestTable roomFeature(String namespace) {
    roomFeatures.add(namespace);
    return this;
  }

  /// Advertises a feature of rooms whose configuration matches.
  public RequestTable roomFeature(String namespace, Predicate<RoomConfig> when) {
    conditionalFeatures.put(namespace, when);
    return this;
  }

  /// Advertises a feature of the service.
  public RequestTable serviceFeature(String namespace) {
    serviceFeatures.add(namespace);
    return this;
  }

  public @Nullable RoomRequestHandler findRoomHandler(Iq.Type type, QName payload) {
    return rooms.find(type, payload);
  }

  public @Nullable AddressRequestHandler findAddressHandler(Iq.Type type, QName payload) {
    return addresses.find(type, payload);
  }

  public @Nullable ServiceRequestHandler findServiceHandler(Iq.Type type, QName payload) {
    return service.find(type, payload);
  }

  /// Finds the handler of a message to a room's bare address, or null.
  public @Nullable RoomMessageHandler findMessageHandler(Message message) {
    Jid to = message.to();
    if (to == null || to.resource() != null) {
      return null;
    }
    return switch (message.type()) {
      case ERROR -> errorHandler;
      case NORMAL -> findHandler(message.payloadNames());
      case CHAT, GROUPCHAT, HEADLINE -> null;
    };
  }

  private @Nullable RoomMessageHandler findHandler(List<QName> names) {
    for (QName name : names) {
      RoomMessageHandler handler = messages.get(name);
      if (handler != null) {
        return handler;
      }
    }
    return null;
  }

  public List<RoomInfoFields> roomInfos() {
    return roomInfos;
  }

  /// Returns the features of a room with that configuration.
  public Set<String> roomFeatures(RoomConfig config) {
    Set<String> features = new TreeSet<>(roomFeatures);
    conditionalFeatures.forEach((namespace, when) -> {
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
