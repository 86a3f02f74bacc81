package im.zonda.bench.target;

import im.zonda.bench.load.Plan;
import im.zonda.bench.process.Addresses;
import im.zonda.bench.result.Result;
import im.zonda.bench.xmpp.Endpoint;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// A server that runs already. The accounts are made if that is wanted, and otherwise expected.
final class AddressTarget implements Target {
  private final TargetOptions options;
  private final List<Endpoint> endpoints;
  private final List<TargetProcess> processes;

  AddressTarget(TargetOptions options) {
    this.options = options;
    options.refuse("a server at --address", "storage", "server-jvm", "server-settings", "zonda");
    options.refuse(
        "a server at --address", "openfire", "nodes", "edges", "hosts", "servers", "stop");
    endpoints =
        options.addresses().stream()
            .map(address -> options.endpoint(address, options.domain()))
            .toList();
    List<Long> pids = options.pids();
    processes =
        IntStream.range(0, pids.size())
            .mapToObj(i -> new TargetProcess(i == 0 ? "server" : "process " + (i + 1), pids.get(i)))
            .toList();
  }

  @Override
  public void start(Plan plan) throws IOException {
    if (!Addresses.accepts(endpoints.getFirst().address())) {
      throw new IOException("nothing accepts connections at " + options.text("address"));
    }
    if (options.is("register")) {
      new Registration(endpoints.getFirst()).register(plan);
    }
  }

  @Override
  public List<Endpoint> endpoints() {
    return endpoints;
  }

  @Override
  public String service(String kind) {
    return kind + "." + options.domain();
  }

  @Override
  public List<TargetProcess> processes() {
    return processes;
  }

  @Override
  public @Nullable Path gcLog() {
    return null;
  }

  @Override
  public Result.Subject subject() {
    return new Result.Subject(options.text("address"), "", "", options.unusual());
  }

  @Override
  public void close() {
    // The server is somebody else's.
  }
}
