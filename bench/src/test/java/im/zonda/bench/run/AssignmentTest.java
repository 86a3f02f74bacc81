package im.zonda.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.bench.xmpp.Endpoint;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AssignmentTest {
  private static Assignment of(int index, int processes) {
    return new Assignment(
        "chat",
        Map.of("rate", "1", "arrivals", "even"),
        List.of(endpoint(15_222, "a.example"), endpoint(15_223, "b.example")),
        List.of(endpoint(15_224, "a.example")),
        "ünder\"",
        new Assignment.Share(index, processes),
        2);
  }

  private static Endpoint endpoint(int port, String domain) {
    return new Endpoint(
        new InetSocketAddress("127.0.0.2", port),
        domain,
        Endpoint.Transport.WEBSOCKET,
        Endpoint.Security.TLS);
  }

  @Test
  void anAssignmentIsReadAsItWasWritten() {
    assertThat(Assignment.of(Line.parse(of(1, 3).toLine().toString()))).isEqualTo(of(1, 3));
  }

  @Test
  void eachClientBelongsToOneProcessAndPairsStayTogether() {
    List<Assignment> all = IntStream.range(0, 3).mapToObj(i -> of(i, 3)).toList();
    for (int client = 0; client < 60; client++) {
      int number = client;
      assertThat(all).filteredOn(each -> each.isMine(number)).hasSize(1);
      assertThat(all).allMatch(each -> each.isMine(number) == each.isMine(number ^ 1));
    }
  }

  @Test
  void socketsDecideHowManyProcessesThereAre() {
    RunSettings auto = new RunSettings(0, "", List.of(), java.nio.file.Path.of(""));
    assertThat(auto.processesFor(19_000, 20_000)).isEqualTo(1);
    assertThat(auto.processesFor(50_000, 20_000)).isEqualTo(3);
    assertThat(auto.processesFor(50_000, 1_000_000)).isEqualTo(3);
    assertThat(auto.processesFor(100, 1_024)).isEqualTo(5);
  }
}
