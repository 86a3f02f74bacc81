package im.zonda.web.account;

import static im.zonda.web.account.AccountStage.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.http.HttpMethod;
import im.zonda.stanza.ErrorCondition;
import im.zonda.xml.Element;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Name and picture. A vCard may have 20 KiB here, so that a picture may have 9 KiB.
class ProfilePageTest {
  private static final byte[] PNG = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 26, '\n', 1, 2, 3, 4};

  private final AccountStage stage = new AccountStage();
  private final Browser alice = stage.signedIn(ALICE);

  private Browser.Answer submit(String name, byte[] picture, String more) {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    text(body, "token", alice.token);
    text(body, "name", name);
    if (!more.isEmpty()) {
      text(body, more, "1");
    }
    body.writeBytes(
        ascii(
            """
            --xYz\r
            Content-Disposition: form-data; name="picture"; filename="p.png"\r
            Content-Type: text/html\r
            \r
            """));
    body.writeBytes(picture);
    body.writeBytes(ascii("\r\n--xYz--\r\n"));
    return alice.send(
        HttpMethod.POST,
        "/account/profile",
        Map.of("content-type", "multipart/form-data; boundary=xYz"),
        body.toByteArray());
  }

  private static void text(ByteArrayOutputStream body, String name, String value) {
    body.writeBytes(
        (("--xYz\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n\r\n")
                + value
                + "\r\n")
            .getBytes(StandardCharsets.UTF_8));
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private String vcard() {
    return String.valueOf(stage.vcards.get(ALICE));
  }

  @Test
  void nameAndPictureAreSavedAndShown() {
    assertThat(submit("Älice Capulet", PNG, "").header("Location"))
        .isEqualTo("/account?done=saved");
    assertThat(vcard()).contains("<FN>Älice Capulet</FN>", "<TYPE>image/png</TYPE>");
    assertThat(alice.get("/account").text())
        .contains("value=\"Älice Capulet\"", "src=\"/account/picture\"");
    Browser.Answer picture = alice.get("/account/picture");
    assertThat(picture.header("Content-Type")).isEqualTo("image/png");
    assertThat(picture.header("Cache-Control")).isEqualTo("no-store");
    assertThat(picture.bytes()).isEqualTo(PNG);
  }

  @Test
  void theRestOfTheVcardStays() {
    stage.vcards.put(
        ALICE,
        Element.builder(Profile.VCARD)
            .child("NICKNAME", "Ally")
            .child("FN", "Old")
            .child("URL", "https://example.org")
            .build());
    submit("New", PNG, "");
    assertThat(vcard())
        .contains("<NICKNAME>Ally</NICKNAME>", "<URL>", "<FN>New</FN>", "PHOTO")
        .doesNotContain("Old");
    submit("New", new byte[0], "");
    assertThat(vcard()).contains("PHOTO");
    submit(" ", new byte[0], "remove");
    assertThat(vcard()).contains("Ally").doesNotContain("PHOTO", "FN");
    assertThat(alice.get("/account/picture").status()).isEqualTo(404);
  }

  /// A page or a drawing with scripts is no picture, whatever it is called.
  @ParameterizedTest
  @ValueSource(
      strings = {"<svg onload='alert(1)'/>", "<script>alert(1)</script>", "GIF", "RIFF....WAVE"})
  void row86_onlyPicturesAreTaken(String file) {
    Browser.Answer answer = submit("Alice", ascii(file), "");
    assertThat(answer.status()).isEqualTo(422);
    assertThat(answer.text()).contains("This is not a picture");
    assertThat(stage.vcards).isEmpty();
  }

  @Test
  void row86_aStoredPageIsNotServedAsPicture() {
    stage.vcards.put(
        ALICE,
        Element.builder(Profile.VCARD)
            .child(
                Element.builder("vcard-temp", "PHOTO")
                    .child("TYPE", "text/html")
                    .child("BINVAL", "PHNjcmlwdD4=")
                    .build())
            .build());
    assertThat(alice.get("/account/picture").status()).isEqualTo(404);
    assertThat(alice.get("/account").text()).doesNotContain("/account/picture");
  }

  @ParameterizedTest
  @CsvSource({"9216, 303", "9217, 422", "30000, 422", "2000000, 422"})
  void row88_aPictureHasABound(int size, int status) {
    Browser.Answer answer = submit("Alice", Arrays.copyOf(PNG, size), "");
    assertThat(answer.status()).isEqualTo(status);
    if (status == 422) {
      assertThat(answer.text()).contains("at most 9 KiB");
      assertThat(stage.vcards).isEmpty();
    }
  }

  @Test
  void whatTheServerRefusesIsSaid() {
    stage.vcards.put(ALICE, Element.builder(Profile.VCARD).child("FN", "Old").build());
    alice.get("/account");
    stage.refusal = ErrorCondition.RESOURCE_CONSTRAINT;
    assertThat(submit("New", PNG, "").status()).isEqualTo(503);
    stage.refusal = null;
    assertThat(vcard()).contains("Old");
  }

  @Test
  void row93_aFormWithoutItsTokenChangesNothing() {
    alice.token = "0";
    assertThat(submit("Alice", PNG, "").status()).isEqualTo(403);
    assertThat(stage.vcards).isEmpty();
  }

  @Test
  void aNameIsShortAndOneLine() {
    submit("a\u0000\nb" + "x".repeat(200), new byte[0], "");
    assertThat(vcard()).contains("<FN>a  b" + "x".repeat(96) + "</FN>");
  }
}
