package im.zonda.web.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

import com.google.zxing.BinaryBitmap;
import com.google.zxing.RGBLuminanceSource;
import com.google.zxing.common.HybridBinarizer;
import com.google.zxing.qrcode.QRCodeReader;
import im.zonda.http.HttpResponse;
import im.zonda.web.PageRequest;
import java.awt.image.BufferedImage;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LookTest {
  private static final byte[] PNG = {(byte) 0x89, 'P', 'N', 'G', 13, 10, 26, 10};

  @TempDir private Path folder;

  @Test
  void textOnTheMainColourIsReadable() {
    assertThat(Look.textColor("#0d3b52")).isEqualTo("#ffffff");
    assertThat(Look.textColor("#ffd84d")).isEqualTo("#000000");
    assertThat(
            PageRequest.text(Look.read("x", "#ffd84d", null).style().handle(PageRequest.get("/"))))
        .contains(":root { --main: #ffd84d; --on-main: #000000; --accent: #");
  }

  /// A colour that can be read on a surface is kept; others become darker or lighter.
  @Test
  void theAccentIsReadableOnEachSurface() {
    for (String color : List.of("#0d3b52", "#ffd84d", "#ffffff", "#000000", "#777777", "#ff0000")) {
      for (String surface : List.of("#ffffff", "#f5f8f9", "#1a2328", "#000000")) {
        String readable = Look.readableOn(surface, color);
        assertThat(contrast(readable, surface)).as(color + surface).isGreaterThanOrEqualTo(4.5);
        if (contrast(color, surface) >= 4.5) {
          assertThat(readable).isEqualTo(color);
        }
      }
    }
  }

  /// The contrast ratio of WCAG 2.2.
  private static double contrast(String one, String other) {
    double first = luminance(one);
    double second = luminance(other);
    return (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05);
  }

  private static double luminance(String color) {
    double sum = 0;
    double[] weights = {0.2126, 0.7152, 0.0722};
    for (int i = 0; i < 3; i++) {
      double part = Integer.parseInt(color, 2 * i + 1, 2 * i + 3, 16) / 255.0;
      sum += weights[i] * (part <= 0.04045 ? part / 12.92 : Math.pow((part + 0.055) / 1.055, 2.4));
    }
    return sum;
  }

  @Test
  void theManifestNamesTheHostAndItsPicture() throws Exception {
    HttpResponse response =
        Look.read("The \"Rose\"\\", "#7a1f5c", null).manifest().handle(PageRequest.get("/"));
    assertThat(response.headers().getFirst().value()).isEqualTo("application/manifest+json");
    assertThat(PageRequest.text(response))
        .contains("\"name\": \"The \\u0022Rose\\u0022\\u005c\",")
        .contains("\"theme_color\": \"#7a1f5c\"")
        .contains("\"type\": \"image/svg+xml\", \"sizes\": \"any\"");
    Path png = folder.resolve("house.png");
    ImageIO.write(new BufferedImage(300, 200, BufferedImage.TYPE_INT_RGB), "png", png.toFile());
    assertThat(
            PageRequest.text(
                Look.read("x", "#000000", png).manifest().handle(PageRequest.get("/"))))
        .contains("\"type\": \"image/png\", \"sizes\": \"300x200\"");
  }

  @Test
  void aPictureIsServedWithItsType() throws Exception {
    Path picture = Files.write(folder.resolve("house.PNG"), PNG);
    var response = Look.read("x", "#000000", picture).picture().handle(PageRequest.get("/"));
    assertThat(response.headers().getFirst().value()).isEqualTo("image/png");
    assertThat(PageRequest.text(response)).contains("PNG\r\n");
    Path page = Files.writeString(folder.resolve("house.html"), "page");
    assertThatExceptionOfType(UncheckedIOException.class)
        .isThrownBy(() -> Look.read("x", "#000000", page))
        .withMessageContaining("is not a picture");
  }

  @Test
  void aPictureIsReadBeforeItIsNeeded() throws Exception {
    Look.check(Files.write(folder.resolve("a.png"), PNG));
    Look.check(Files.write(folder.resolve("a.jpeg"), new byte[] {(byte) 0xff, (byte) 0xd8, 1}));
    Look.check(Files.writeString(folder.resolve("a.svg"), "<?xml version='1.0'?><svg/>"));
    Path html = Files.writeString(folder.resolve("b.svg"), "<html/>");
    assertThatIOException()
        .isThrownBy(() -> Look.check(html))
        .withMessage(html + " does not hold a picture of the type image/svg+xml");
    Path large = Files.write(folder.resolve("c.svg"), new byte[1_048_577]);
    assertThatIOException()
        .isThrownBy(() -> Look.check(large))
        .withMessage(large + " has more than 1048576 bytes");
    Path none = folder.resolve("none.png");
    assertThatIOException().isThrownBy(() -> Look.check(none)).withMessage(none.toString());
  }

  /// A reader sees in the picture what was drawn.
  @Test
  void aQrCodeIsRead() throws Exception {
    String uri = "xmpp:romeo@example.org?roster;preauth=" + "0123456789abcdef".repeat(3) + ";ibr=y";
    String svg = String.valueOf(QrImage.svg(uri, "label"));
    Matcher size = Pattern.compile("viewBox=\"0 0 (\\d+) ").matcher(svg);
    assertThat(size.find()).isTrue();
    int modules = Integer.parseInt(size.group(1));
    int scale = 4;
    int[] pixels = new int[modules * modules * scale * scale];
    Arrays.fill(pixels, 0xffffff);
    Matcher module = Pattern.compile("M(\\d+) (\\d+)h1v1h-1z").matcher(svg);
    while (module.find()) {
      for (int i = 0; i < scale * scale; i++) {
        int x = Integer.parseInt(module.group(1)) * scale + i % scale;
        int y = Integer.parseInt(module.group(2)) * scale + i / scale;
        pixels[y * modules * scale + x] = 0;
      }
    }
    var image = new RGBLuminanceSource(modules * scale, modules * scale, pixels);
    assertThat(new QRCodeReader().decode(new BinaryBitmap(new HybridBinarizer(image))).getText())
        .isEqualTo(uri);
  }
}
