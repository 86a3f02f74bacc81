package im.zonda.bench.scenario.occupant;

import im.zonda.bench.load.Load;
import im.zonda.bench.trace.Trace.Stay;
import im.zonda.bench.xmpp.Endpoint;
import java.util.ArrayList;
import java.util.List;

/// The virtual hosts of the server under load. Rooms are on them in turns, and each player has an
/// account of the host of the player's first room.
final class Hosts {
  /// More addresses than a target has.
  private static final int MOST = 1_000;

  private final String service;
  private final List<String> domains = new ArrayList<>();
  private final List<List<Endpoint>> endpoints = new ArrayList<>();

  /// @param service the domain of the rooms before that of the host
  Hosts(Load load, String service) {
    this.service = service;
    for (int i = 0; i < MOST; i++) {
      Endpoint endpoint = load.endpoint(i);
      if (i > 0 && endpoint.equals(load.endpoint(0))) {
        break;
      }
      int host = domains.indexOf(endpoint.domain());
      if (host < 0) {
        host = domains.size();
        domains.add(endpoint.domain());
        endpoints.add(new ArrayList<>());
      }
      endpoints.get(host).add(endpoint);
    }
  }

  /// Where a player connects.
  Endpoint endpoint(int player, List<Stay> stays) {
    List<Endpoint> own = endpoints.get(host(stays));
    return own.get(player % own.size());
  }

  private int host(List<Stay> stays) {
    return stays.isEmpty() ? 0 : stays.getFirst().room() % domains.size();
  }

  /// The address of a room.
  String room(int room) {
    return "r" + room + "@" + service + "." + domains.get(room % domains.size());
  }

  /// The address of a player.
  String player(int player, List<Stay> stays) {
    return "u" + player + "@" + domains.get(host(stays));
  }

  /// Whether an address continues with the domain of rooms.
  ///
  /// @param at after the `@`
  boolean isService(String address, int at) {
    return address.startsWith(service, at) && address.startsWith(".", at + service.length());
  }
}
