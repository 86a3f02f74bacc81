package im.zonda.xml.framing;

import java.util.List;

/// Streams that tests cut, mutate and compare.
public final class Streams {
  static final String HEADER =
      "<stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams'"
          + " to='example.org' version='1.0' xml:lang='en'>";

  static final String SIMPLE =
      "<message to='romeo@example.net/orchard' id='a1' type='chat'><body>Art thou not Romeo?"
          + "</body></message>";

  /// A chat message of a current client, with five children.
  static final String RICH =
      "<message xml:lang='en' to='juliet@capulet.example' from='romeo@montague.example/orchard'"
          + " type='chat' id='d5a2-4f7c-91ee'><body>Wherefore art thou, Romeo? Deny thy"
          + " father</body><request xmlns='urn:xmpp:receipts'/><markable"
          + " xmlns='urn:xmpp:chat-markers:0'/><origin-id xmlns='urn:xmpp:sid:0'"
          + " id='d5a2-4f7c-91ee'/><active xmlns='http://jabber.org/protocol/chatstates'/></message>";

  static final List<String> VALID =
      List.of(
          "<?xml version='1.0'?>" + HEADER + SIMPLE + RICH + " \n " + SIMPLE + "</stream:stream>",
          "\uFEFF<?xml version=\"1.0\" encoding=\"utf-8\" standalone='yes' ?>\r\n"
              + HEADER
              + "<presence/><presence ><show >away</show ></presence >\t</stream:stream >",
          HEADER
              + "<message><body>größer € 😀 &lt;&#x41;&#65;&amp;&gt;&quot;&apos;</body></message>",
          HEADER + "<iq type='get' id='&#x20AC;&lt;\"'><query xmlns='jabber:iq:roster'/></iq>",
          HEADER
              + "<message><body><![CDATA[a]]b]]]><![CDATA[]]]]><![CDATA[<x>&amp;]]></body>]] ></message>",
          HEADER
              + "<message xmlns:x='urn:x' x:a='1' a=\"2'\"><x:b xmlns='urn:y'><c/>t<x:d"
              + " x:e='&#10;'/></x:b><stream:f/></message>",
          "<a:b xmlns:a='urn:a' c = \"d\" ><a:e><f/></a:e><g xmlns='u'/></a:b>",
          HEADER + "<größe ö='1'><日本 xmlns=''/></größe>",
          HEADER + "<x xmlns=''><y xmlns='urn:y'><z xmlns=''/></y></x>",
          "<stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams'/>");

  static final List<String> BROKEN =
      List.of(
          HEADER + "<a></b>",
          HEADER + "<a b='1' b='2'/>",
          HEADER + "<a><!-- c --></a>",
          HEADER + "<?php x?>",
          HEADER + "<a>&foo;</a>",
          HEADER + "<a>&#xD800;</a>",
          HEADER + "hello",
          HEADER + "<a>]]></a>",
          HEADER + "<a b='<'/>",
          HEADER + "<p:a/>",
          HEADER + "<a/></stream:strea>",
          "<?xml version='1.1'?>" + HEADER,
          "<?xml version='1.0' encoding='ISO-8859-1'?>" + HEADER,
          "GET / HTTP/1.1\r\n",
          "<!DOCTYPE x>");

  private Streams() {}
}
