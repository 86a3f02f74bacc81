package im.zonda.app.settings;

import im.zonda.config.ServerConfig;

/// The names of the services of a virtual host, which have domains below its own.
final class ServiceNames {
  private ServiceNames() {}

  /// The name of a service.
  ///
  /// @param service its domain
  static String of(ServerConfig config, String host, String service) {
    return switch (prefixKey(config, host, service)) {
      case "rooms.prefix" -> "the room service";
      case "services.pubsub.prefix" -> "the publish-subscribe service";
      case "services.uploads.prefix" -> "the upload service";
      case "proxy.prefix" -> "the bytestreams proxy";
      default -> "the search";
    };
  }

  /// The key that changes its domain.
  static String prefixKey(ServerConfig config, String host, String service) {
    ServerConfig own = config.at(host);
    if (service.startsWith(own.rooms().prefix() + ".")) {
      return "rooms.prefix";
    }
    if (config.proxy().isOn() && service.startsWith(config.proxy().prefix() + ".")) {
      return "proxy.prefix";
    }
    if (own.offersUploads(host) && service.startsWith(own.services().uploads().prefix() + ".")) {
      return "services.uploads.prefix";
    }
    return service.startsWith(own.services().pubsub().prefix() + ".")
        ? "services.pubsub.prefix"
        : "services.search.prefix";
  }
}
