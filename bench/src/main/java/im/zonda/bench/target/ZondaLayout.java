package im.zonda.bench.target;

import im.zonda.bench.process.Addresses;
import im.zonda.bench.process.Certificates;
import im.zonda.bench.process.TemporaryFolder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/// Which processes a Zonda under load consists of, with their addresses and settings.
final class ZondaLayout {
  private static final InetSocketAddress NOWHERE = new InetSocketAddress(0);

  private final TargetOptions options;
  private final TemporaryFolder folder;
  private final boolean isVolatile;
  private final Addresses addresses = new Addresses();
  private final int nodeCount;
  private final int serverCount;
  private final int edgeCount;
  private final List<Node> nodes = new ArrayList<>();
  private final List<Node> edges = new ArrayList<>();
  private final List<Client> clients = new ArrayList<>();

  ZondaLayout(TargetOptions options, TemporaryFolder folder, boolean isVolatile) {
    this.options = options;
    this.folder = folder;
    this.isVolatile = isVolatile;
    nodeCount = options.count("nodes", 1);
    serverCount = options.count("servers", 1);
    edgeCount = options.count("edges", 0);
  }

  /// A process.
  ///
  /// @param name such as `node 2`
  /// @param settings its file
  record Node(String name, Path settings) {}

  /// Where clients may connect.
  record Client(
      String domain,
      InetSocketAddress tcp,
      InetSocketAddress tcpTls,
      InetSocketAddress web,
      InetSocketAddress webTls) {}

  /// Where a database listens.
  InetSocketAddress databaseAddress() throws IOException {
    return addresses.free();
  }

  /// The domains of a server.
  List<String> domainsOf(int server) {
    if (serverCount > 1) {
      return List.of(numbered(server));
    }
    return IntStream.range(0, options.count("hosts", 1)).mapToObj(this::numbered).toList();
  }

  private String numbered(int number) {
    return number == 0 ? options.domain() : "h" + number + "." + options.domain();
  }

  /// Certificates for edges, and for servers that are connected to each other; none otherwise.
  Certificates certificates() throws IOException {
    if (edgeCount == 0 && serverCount == 1) {
      return new Certificates(folder.path(), folder.path());
    }
    List<String> domains =
        IntStream.range(0, serverCount).mapToObj(this::domainsOf).flatMap(List::stream).toList();
    return Certificates.make(folder.path(), "host", domains);
  }

  /// Writes the settings of all processes.
  void prepare(Database database, Certificates certificates) throws IOException {
    List<InetSocketAddress> cores = new ArrayList<>();
    Map<String, InetSocketAddress> peers = new LinkedHashMap<>();
    for (int i = 0; i < serverCount; i++) {
      peers.put(numbered(i), addresses.free());
    }
    int count = Math.max(nodeCount, serverCount);
    for (int i = 0; i < count; i++) {
      Map<String, String> sections = new LinkedHashMap<>();
      sections.put(
          "storage",
          database.settings()
              + (isVolatile ? "archive = false\ndurable = false\n" : "")
              + (nodeCount > 1 ? "files = \"" + folder.path().resolve("files") + "\"\n" : ""));
      if (edgeCount > 0) {
        cores.add(addresses.free(i + 1));
        sections.put("edges", core(cores.getLast(), certificates));
        sections.put("tls", ZondaSettings.files(certificates));
      }
      if (serverCount > 1) {
        sections.put("tls", ZondaSettings.files(certificates));
        connect(sections, certificates, numbered(i), peers);
      }
      if (nodeCount > 1) {
        sections.put("cluster", member(i));
      }
      addNode(i, sections);
    }
    for (int i = 0; i < edgeCount; i++) {
      addEdge(count + i, cores, certificates);
    }
  }

  private void addNode(int number, Map<String, String> sections) throws IOException {
    List<String> domains = domainsOf(serverCount > 1 ? number : 0);
    String file = "zonda" + (number + 1);
    InetSocketAddress tcp = addresses.free(number + 1);
    InetSocketAddress tcpTls = addresses.free(number + 1);
    InetSocketAddress web = addresses.free(number + 1);
    InetSocketAddress webTls = addresses.free(number + 1);
    String text =
        new ZondaSettings(domains, folder.path().resolve("data" + number), tcp, tcpTls, web, webTls)
            .text(sections, options.moreSettings());
    String name =
        nodeCount > 1 ? "node " + (number + 1) : number == 0 ? "server" : "server " + (number + 1);
    nodes.add(new Node(name, folder.write(file + ".toml", text)));
    if (edgeCount == 0) {
      domains.forEach(domain -> clients.add(new Client(domain, tcp, tcpTls, web, webTls)));
    }
  }

  private void addEdge(int number, List<InetSocketAddress> cores, Certificates certificates)
      throws IOException {
    InetSocketAddress tcp = addresses.free(number + 1);
    InetSocketAddress tcpTls = addresses.free(number + 1);
    InetSocketAddress web = addresses.free(number + 1);
    String text = ZondaSettings.edge(cores, certificates, List.of(tcp, tcpTls), web);
    int which = edges.size() + 1;
    edges.add(new Node("edge " + which, folder.write("edge" + which + ".toml", text)));
    domainsOf(0).forEach(domain -> clients.add(new Client(domain, tcp, tcpTls, web, web)));
  }

  private static String core(InetSocketAddress address, Certificates certificates) {
    return "listen = "
        + ZondaSettings.list(List.of(Addresses.text(address)))
        + "\n"
        + ZondaSettings.files(certificates)
        + "ca = \""
        + certificates.certificate()
        + "\"\n";
  }

  private String member(int number) throws IOException {
    return "name = \"bench\"\nnode = \"n"
        + (number + 1)
        + "\"\nbind = \""
        + Addresses.text(addresses.free(number + 1))
        + "\"\n";
  }

  private static void connect(
      Map<String, String> sections,
      Certificates certificates,
      String own,
      Map<String, InetSocketAddress> peers) {
    sections.put(
        "s2s",
        "enabled = true\nlisten = "
            + ZondaSettings.list(List.of(Addresses.text(peers.getOrDefault(own, NOWHERE))))
            + "\nlisten-tls = []\nstanza-rate = 0\npresence-rate = 0\nca = \""
            + certificates.certificate()
            + "\"\n");
    StringBuilder routes = new StringBuilder();
    peers.forEach((domain, address) -> {
      if (!domain.equals(own)) {
        routes.append('"').append(domain).append("\" = \"").append(Addresses.text(address));
        routes.append("\"\n");
      }
    });
    sections.put("s2s.route", routes.toString());
  }

  List<Node> nodes() {
    return List.copyOf(nodes);
  }

  List<Node> edges() {
    return List.copyOf(edges);
  }

  /// Where clients connect, in turns.
  List<Client> clients() {
    return List.copyOf(clients);
  }
}
