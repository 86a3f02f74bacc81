package im.zonda.app.demo;

import im.zonda.hash.HashFunction;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Base64;
import javax.imageio.ImageIO;

/// Pictures of people: coloured circles, a different pattern for each (XEP-0084).
final class DemoAvatar {
  private static final int SIZE = 96;

  private DemoAvatar() {}

  /// The picture of a number, as PNG.
  static byte[] png(int number) {
    BufferedImage image = new BufferedImage(SIZE, SIZE, BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = image.createGraphics();
    graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
    float hue = number * 0.618f;
    graphics.setColor(Color.getHSBColor(hue, 0.35f, 0.95f));
    graphics.fillRect(0, 0, SIZE, SIZE);
    for (int i = 0; i < 3; i++) {
      graphics.setColor(Color.getHSBColor(hue + 0.08f * i, 0.7f, 0.75f - 0.15f * i));
      int size = SIZE * 2 / 3 - 16 * i;
      int angle = number * 47 + i * 120;
      int x = (int) (SIZE / 2 + 18 * Math.cos(Math.toRadians(angle)));
      int y = (int) (SIZE / 2 + 18 * Math.sin(Math.toRadians(angle)));
      graphics.fillOval(x - size / 2, y - size / 2, size, size);
    }
    graphics.dispose();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      ImageIO.write(image, "png", out);
    } catch (IOException e) {
      throw new UncheckedIOException("memory cannot fail", e);
    }
    return out.toByteArray();
  }

  /// The two requests that publish a picture.
  static String publish(byte[] png) {
    String id = HashFunction.SHA_1.hex(png);
    return item(
            "urn:xmpp:avatar:data",
            id,
            "<data xmlns='urn:xmpp:avatar:data'>"
                + Base64.getEncoder().encodeToString(png)
                + "</data>")
        + item(
            "urn:xmpp:avatar:metadata",
            id,
            "<metadata xmlns='urn:xmpp:avatar:metadata'><info id='"
                + id
                + "' type='image/png' bytes='"
                + png.length
                + "' width='96' height='96'/></metadata>");
  }

  /// A request that publishes an item at one's own account (XEP-0163).
  static String item(String node, String id, String payload) {
    return "<iq type='set' id='publish'><pubsub xmlns='http://jabber.org/protocol/pubsub'>"
        + "<publish node='"
        + node
        + "'><item id='"
        + id
        + "'>"
        + payload
        + "</item></publish></pubsub></iq>";
  }
}
