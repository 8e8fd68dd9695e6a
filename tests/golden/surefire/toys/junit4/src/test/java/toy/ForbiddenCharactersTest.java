package toy;

import static org.junit.Assert.fail;

import org.junit.Test;

public class ForbiddenCharactersTest {
    @Test
    public void failsOddly() throws Exception {
        System.out.write(0x80);
        System.out.write(0x00);
        System.out.println(" raw bytes");
        fail("nul \u0000 and \uffff and lone \ud800 and escape \u001b]]>");
    }

    @Test
    public void throwsAnError() {
        throw new IllegalArgumentException("x < y & z");
    }
}
