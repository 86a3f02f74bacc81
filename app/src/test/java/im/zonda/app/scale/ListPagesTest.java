package im.zonda.app.scale;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.Storage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Each page of each list costs at most three statements, however many rows there are.
class ListPagesTest {
  private static final int MOST_STATEMENTS = 3;
  private static final int LIMIT = 50;
  private static final int MOST = 500;
  private static final int SESSIONS = 60;
  private static final int ROOMS = 120;

  @TempDir private static Path folder = Path.of("");
  private static CountedServer server;

  @BeforeAll
  static void start() throws IOException, InterruptedException {
    Storage storage = new Storage(true, true, 0, 512);
    CountedServer.fill(folder, storage, Contents.Size.SMALL);
    server = new CountedServer(folder, storage);
    server.logIn(SESSIONS, ROOMS);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  static List<ListCall> calls() {
    return ListCall.all().toList();
  }

  @Test
  void thereAreLists() {
    assertThat(ListCall.operations()).hasSizeGreaterThan(15);
  }

  @ParameterizedTest
  @MethodSource("calls")
  void aPageTakesThreeStatementsAndTogetherTheyHaveEachRowOnce(ListCall call) {
    List<Object> rows = rows(call, LIMIT);
    assertThat(rows).doesNotHaveDuplicates();
    assertThat(rows.equals(rows(call, MOST))).as("the same rows by larger pages").isTrue();
  }

  private static List<Object> rows(ListCall call, int limit) {
    List<Object> rows = new ArrayList<>();
    Set<Object> places = new HashSet<>();
    Object after = null;
    do {
      server.statements.take();
      ListCall.Page page = call.run(server, after, limit);
      assertThat(server.statements.take())
          .as(call + " after " + after)
          .hasSizeLessThanOrEqualTo(MOST_STATEMENTS);
      rows.addAll(page.rows());
      after = page.next();
      assertThat(after == null || places.add(after)).as("another place than " + after).isTrue();
    } while (after != null);
    return rows;
  }
}
