from selectolax.lexbor import LexborHTMLParser as P

print(P("<select>" + "<option>" * 3 + "x").html)
print(P("<select>" + "<option>x</option>" * 3 + "x").html)
print(P("<select><div><select><div>x").html)
print(P("<p><b><p><b id=2><p>x").html)
print(P("<b><div><div></b>x").html)
print(P("<svg><title><div><p><style><b>x").html)
import time

for n in (8000, 16000):
    for s in ("<option>", "<option>x</option>", "<option></option>\n", "<optgroup>", "<option selected>x"):
        for pre in ("<select>", "", "<select multiple>", "<datalist>"):
            t = time.process_time()
            P(pre + s * n)
            print(n, pre, s, round(time.process_time() - t, 3))
