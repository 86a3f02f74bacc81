package im.zonda.app.plugin.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DistributionTest {
  @Test
  void aProductWithoutARepositoryHasPluginsButNoTemplate(@TempDir Path product) throws IOException {
    Path home = Distribution.home(product.resolve("lib/zonda-app.jar"));
    assertThat(home).isEqualTo(product);
    assertThatThrownBy(() -> Distribution.withRepository(home))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("zonda prepare");
    Files.createDirectory(product.resolve("repository"));
    assertThat(Distribution.withRepository(home)).isEqualTo(product);
  }

  @Test
  void classesOfASourceTreeAreNoProduct(@TempDir Path tree) {
    assertThatThrownBy(() -> Distribution.home(tree.resolve("target/classes")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("does not run from the folder `lib`");
  }
}
