package im.zonda.app.hosts;

import java.util.Map;
import java.util.Set;

/// Which case of [HostIsolationTest] shows that a module or a store keeps hosts apart.
final class IsolationCases {
  static final String NONE = "nothing of its own that another host could see";

  /// The cases of each module.
  static final Map<String, Set<String>> MODULES =
      Map.ofEntries(
          Map.entry("roster", Set.of("roster")),
          Map.entry("presence", Set.of("presence")),
          Map.entry("blocking", Set.of("blocking")),
          Map.entry("mam", Set.of("archive", "archive preferences")),
          Map.entry("offline", Set.of("offline messages")),
          Map.entry("disco", Set.of("items")),
          Map.entry("access", Set.of("clients")),
          Map.entry("carbons", Set.of("carbons")),
          Map.entry("last", Set.of("last activity")),
          Map.entry("muc", Set.of("rooms", "room search", "rights in rooms")),
          Map.entry("privatexml", Set.of("private XML")),
          Map.entry("registration", Set.of("registration", "password")),
          Map.entry("vcard", Set.of("vCard")),
          Map.entry("contact", Set.of("contact addresses")),
          Map.entry("privilege", Set.of("rights of components")),
          Map.entry("delegation", Set.of("delegated requests")),
          Map.entry("strangers", Set.of("strangers", "held messages")),
          Map.entry("stanzaid", Set.of(NONE)),
          Map.entry("hints", Set.of(NONE)),
          Map.entry("delay", Set.of(NONE)),
          Map.entry("ping", Set.of(NONE)),
          Map.entry("time", Set.of(NONE)),
          Map.entry("version", Set.of(NONE)));

  /// The cases of each store, the key-value stores by their names.
  static final Map<String, String> STORES =
      Map.ofEntries(
          Map.entry("accounts", "password"),
          Map.entry("rosters", "roster"),
          Map.entry("rooms", "rooms"),
          Map.entry("messages", "offline messages"),
          Map.entry("remoteQueues", "messages for other servers"),
          Map.entry("archive", "archive"),
          Map.entry("keyValues:blocking", "blocking"),
          Map.entry("keyValues:mam", "archive preferences"),
          Map.entry("keyValues:private", "private XML"),
          Map.entry("keyValues:vcard", "vCard"),
          Map.entry("keyValues:last", "last activity"),
          Map.entry("keyValues:hats", "rights in rooms"),
          Map.entry("keyValues:strangers", "strangers"),
          Map.entry("keyValues:held", "held messages"),
          Map.entry("keyValues:clients", "tokens"));

  private IsolationCases() {}
}
