package im.zonda.app.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;

/// The pictures of the demo can be read, and are different.
class DemoAvatarTest {
  @Test
  void eachPersonHasAPicture() throws Exception {
    byte[] first = DemoAvatar.png(0);
    BufferedImage image = ImageIO.read(new ByteArrayInputStream(first));
    assertThat(image.getWidth()).isEqualTo(96);
    assertThat(image.getHeight()).isEqualTo(96);
    // The background of 0 is a light red; the last circle, above left of the middle, is darker.
    assertThat(image.getRGB(1, 1) & 0xffffff).isEqualTo(0xf29d9d);
    assertThat(image.getRGB(39, 32) >> 16 & 0xff).isLessThan(0xc0);
    assertThat(DemoAvatar.png(1)).isNotEqualTo(first);
  }
}
