package im.zonda.web.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.zxing.BinaryBitmap;
import com.google.zxing.RGBLuminanceSource;
import com.google.zxing.common.HybridBinarizer;
import com.google.zxing.qrcode.QRCodeReader;
import im.zonda.web.PageRequest;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LookTest {
  @TempDir private Path folder;

  @Test
  void textOnTheMainColourIsReadable() {
    assertThat(Look.textColor("#0d3b52")).isEqualTo("#ffffff");
    assertThat(Look.textColor("#ffd84d")).isEqualTo("#000000");
    assertThat(
            PageRequest.text(Look.read("x", "#ffd84d", null).style().handle(PageRequest.get("/"))))
        .endsWith(":root { --main: #ffd84d; --on-main: #000000; }\n");
  }

  @Test
  void aPictureIsServedWithItsType() throws Exception {
    Path picture = Files.writeString(folder.resolve("house.PNG"), "picture");
    var response = Look.read("x", "#000000", picture).picture().handle(PageRequest.get("/"));
    assertThat(response.headers().getFirst().value()).isEqualTo("image/png");
    assertThat(PageRequest.text(response)).isEqualTo("picture");
    Path page = Files.writeString(folder.resolve("house.html"), "page");
    assertThatExceptionOfType(UncheckedIOException.class)
        .isThrownBy(() -> Look.read("x", "#000000", page))
        .withMessageContaining("is not a picture");
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
