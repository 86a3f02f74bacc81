package im.zonda.study.page;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.ServerConfig;
import im.zonda.storage.sql.SqlStores;
import im.zonda.store.AccountAddresses;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectoryPageTest {
  private static final String SERVICE = "rooms.localhost";

  private static final Contents FEW = new Contents(60, 30, 30);

  @TempDir private Path folder = Path.of("");

  @Test
  void showsRowsOfFourTables() {
    ServerConfig config = ServerConfig.defaults(List.of("localhost"), folder);
    try (SqlStores stores =
        SqlStores.openWithoutSync(
            folder.resolve("study.db"),
            config.storage(),
            config.limits(),
            InstantSource.system())) {
      FEW.fill(stores, "localhost", SERVICE, Instant.EPOCH);
      DirectoryPage page =
          new DirectoryPage(
              stores.rooms(),
              AccountAddresses.of(stores.accounts()),
              stores.archive(),
              "localhost",
              SERVICE,
              FEW);

      String first = page.render();

      assertThat(first)
          .contains("<b>Room number 1</b> room001@rooms.localhost")
          .contains("<li>room000@rooms.localhost</li>")
          .contains("<li>u0001@localhost</li>")
          .contains("Message number 870, of a few words only");
      assertThat(first.split("<li>", -1)).hasSizeGreaterThan(3 * DirectoryPage.ROWS);
      assertThat(page.render())
          .contains("room002@rooms.localhost")
          .doesNotContain("room001@rooms.localhost</b>")
          .contains("Message number 871,");
    }
  }
}
