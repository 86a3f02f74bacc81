package im.zonda.bench.run;

import im.zonda.bench.xmpp.Endpoint;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The part of one process of the generator in a run.
///
/// @param scenario its name
/// @param options of the scenario
/// @param endpoints where clients connect, in turns
/// @param others where they can connect by each transport, without encryption
/// @param password of all accounts
/// @param share which process it is, of how many
/// @param loops how many event loops it has
record Assignment(
    String scenario,
    Map<String, String> options,
    List<Endpoint> endpoints,
    List<Endpoint> others,
    String password,
    Share share,
    int loops) {
  /// One process of several.
  ///
  /// @param index its number, from 0
  /// @param processes how many there are
  record Share(int index, int processes) {}

  /// Clients 2k and 2k+1 belong to the same process.
  boolean isMine(int client) {
    return (client >> 1) % share.processes == share.index;
  }

  /// Clients go to the addresses in turns.
  Endpoint endpoint(int client) {
    return endpoints.get(client % endpoints.size());
  }

  /// Where a client can connect by a transport.
  ///
  /// @throws IllegalArgumentException if no such address is known
  Endpoint endpoint(int client, Endpoint.Transport transport) {
    List<Endpoint> fit = others.stream().filter(each -> each.transport() == transport).toList();
    if (fit.isEmpty()) {
      throw new IllegalArgumentException("no address of the server is known for " + transport);
    }
    return fit.get(client % fit.size());
  }

  Line toLine() {
    return Line.of(Line.RUN)
        .with("scenario", scenario)
        .with("options", options)
        .with("endpoints", text(endpoints))
        .with("others", text(others))
        .with("password", password)
        .with("index", share.index)
        .with("processes", share.processes)
        .with("loops", loops);
  }

  private static String text(List<Endpoint> endpoints) {
    List<String> texts = new ArrayList<>();
    for (Endpoint each : endpoints) {
      InetSocketAddress address = each.address();
      texts.add(
          String.join(
              " ",
              address.getHostString(),
              Integer.toString(address.getPort()),
              each.domain(),
              each.transport().name(),
              each.security().name()));
    }
    return String.join(",", texts);
  }

  private static List<Endpoint> endpoints(String text) {
    List<Endpoint> endpoints = new ArrayList<>();
    for (String each : text.isEmpty() ? new String[0] : text.split(",", -1)) {
      String[] parts = each.split(" ", -1);
      endpoints.add(
          new Endpoint(
              new InetSocketAddress(parts[0], Integer.parseInt(parts[1])),
              parts[2],
              Endpoint.Transport.valueOf(parts[3]),
              Endpoint.Security.valueOf(parts[4])));
    }
    return endpoints;
  }

  static Assignment of(Line line) {
    Map<String, String> options = new TreeMap<>();
    line.map("options").forEach((name, value) -> options.put(name, value.toString()));
    return new Assignment(
        line.text("scenario"),
        options,
        endpoints(line.text("endpoints")),
        endpoints(line.text("others")),
        line.text("password"),
        new Share((int) line.whole("index"), (int) line.whole("processes")),
        (int) line.whole("loops"));
  }
}
